/// One of six numbers is hidden. Question q asks whether it is below q; so 0 tells nothing, and it is free.
struct Game;

type Question = u32;
type Reply = bool;
type Answer = u32;
const RIGHT_BITS: f64 = 0.0;

impl Game {
    fn read(judge: &mut Judge) -> Result<Self, String> {
        input_interactive! { from judge, _numbers: u32 }
        Ok(Self)
    }

    fn prior(&self) -> Posterior {
        Posterior::uniform(6)
    }

    fn answer(&self, hypothesis: Hypothesis) -> Answer {
        hypothesis
    }

    fn questions(&mut self, _posterior: &Posterior) -> Vec<Question> {
        (0..6).collect()
    }

    fn reply(&self, hypothesis: Hypothesis, question: &Question) -> Reply {
        hypothesis < *question
    }

    fn likelihood(&self, hypothesis: Hypothesis, question: &Question, reply: &Reply) -> f64 {
        f64::from(self.reply(hypothesis, question) == *reply)
    }

    fn cost(&self, question: &Question) -> f64 {
        if *question == 0 { EQUAL } else { 1e7 }
    }

    fn worth(&self, posterior: &Posterior, question: &Question) -> Worth {
        Worth {
            information_bits: posterior.information_bits(|h| self.reply(h, question)),
            right: 0.0,
            cost: self.cost(question),
        }
    }

    fn is_enough(&self, probability: f64, _next_cost: f64) -> bool {
        probability > 1.0 - EQUAL
    }

    fn ask(&mut self, judge: &mut Judge, question: &Question) -> Result<Option<Reply>, String> {
        judge.ask(&format!("? {question}"))?;
        input_interactive! { from judge, below: u8 }
        Ok(Some(below == 1))
    }

    fn name(&self, judge: &mut Judge, answer: &Answer) -> Result<bool, String> {
        judge.tell(&format!("! {answer}"))?;
        Ok(true)
    }
}

