/// What is known before the first question: `hitblow P K`.
struct Game {
    /// The codes, in ascending order. A hypothesis is a place in this list.
    codes: Vec<Vec<u8>>,
}

/// A code is both question and answer, as the hypothesis that it is the secret.
type Question = Hypothesis;
/// Hits and blows.
type Reply = (usize, usize);
type Answer = Hypothesis;
const RIGHT_BITS: f64 = 1.5;

impl Game {
    fn read(judge: &mut Judge) -> Result<Self, String> {
        input_interactive! { from judge, name: String, places: usize, digits: u8 }
        if name != "hitblow" {
            return Err(format!("expected hitblow P K, found {name}"));
        }
        let mut codes = vec![vec![]];
        for _ in 0..places {
            let longer = |code: &Vec<u8>| {
                let code = code.clone();
                let unused = (0..digits).filter(|digit| !code.contains(digit));
                let next = unused.map(|digit| [&code[..], &[digit]].concat());
                next.collect::<Vec<_>>()
            };
            codes = codes.iter().flat_map(longer).collect();
        }
        Ok(Self { codes })
    }

    fn prior(&self) -> Posterior {
        Posterior::uniform(self.codes.len())
    }

    fn answer(&self, hypothesis: Hypothesis) -> Answer {
        hypothesis
    }

    fn questions(&mut self, _posterior: &Posterior) -> Vec<Question> {
        (0..self.codes.len() as Question).collect()
    }

    fn reply(&self, hypothesis: Hypothesis, question: &Question) -> Reply {
        let [secret, guess] = [hypothesis, *question].map(|number| &self.codes[number as usize]);
        let hits = secret.iter().zip(guess).filter(|(a, b)| a == b).count();
        let both = guess.iter().filter(|digit| secret.contains(digit)).count();
        (hits, both - hits)
    }

    fn likelihood(&self, hypothesis: Hypothesis, question: &Question, reply: &Reply) -> f64 {
        f64::from(self.reply(hypothesis, question) == *reply)
    }

    fn cost(&self, _question: &Question) -> f64 {
        1.0
    }

    fn worth(&self, posterior: &Posterior, question: &Question) -> Worth {
        Worth {
            information_bits: posterior.information_bits(|h| self.reply(h, question)),
            right: posterior.probability(*question),
            cost: self.cost(question),
        }
    }

    fn is_enough(&self, probability: f64, _next_cost: f64) -> bool {
        probability > 1.0 - EQUAL
    }

    fn ask(&mut self, judge: &mut Judge, question: &Question) -> Result<Option<Reply>, String> {
        let code = &self.codes[*question as usize];
        let digits: Vec<_> = code.iter().map(u8::to_string).collect();
        judge.ask(&digits.join(" "))?;
        input_interactive! { from judge, hits: usize, blows: usize }
        Ok((hits < code.len()).then_some((hits, blows)))
    }

    fn name(&self, judge: &mut Judge, answer: &Answer) -> Result<bool, String> {
        let code = &self.codes[*answer as usize];
        let digits: Vec<_> = code.iter().map(u8::to_string).collect();
        judge.ask(&digits.join(" "))?;
        input_interactive! { from judge, hits: usize, _blows: usize }
        Ok(hits == code.len())
    }
}

