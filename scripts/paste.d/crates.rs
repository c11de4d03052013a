// Of the crates that AtCoder has and other judges may lack, as much as the solver uses elsewhere.
#[allow(dead_code)]
mod itertools {
    pub trait Itertools: Iterator + Sized {
        fn collect_vec(self) -> Vec<Self::Item> {
            self.collect()
        }
        fn join(self, separator: &str) -> String
        where
            Self::Item: ToString,
        {
            let words: Vec<String> = self.map(|item| item.to_string()).collect();
            words.join(separator)
        }
        fn sorted_unstable(self) -> std::vec::IntoIter<Self::Item>
        where
            Self::Item: Ord,
        {
            let mut all = self.collect_vec();
            all.sort_unstable();
            all.into_iter()
        }
        fn sorted_by_key<K: Ord>(self, key: impl FnMut(&Self::Item) -> K) -> std::vec::IntoIter<Self::Item> {
            let mut all = self.collect_vec();
            all.sort_by_key(key);
            all.into_iter()
        }
        fn dedup(self) -> std::vec::IntoIter<Self::Item>
        where
            Self::Item: PartialEq,
        {
            let mut all = self.collect_vec();
            all.dedup();
            all.into_iter()
        }
        fn all_equal(mut self) -> bool
        where
            Self::Item: PartialEq,
        {
            let first = self.next();
            self.all(|item| first.as_ref() == Some(&item))
        }
        fn all_unique(self) -> bool
        where
            Self::Item: Ord,
        {
            let sorted = self.sorted_unstable().collect_vec();
            sorted.windows(2).all(|pair| pair[0] != pair[1])
        }
    }
    impl<I: Iterator> Itertools for I {}
}

#[allow(dead_code, unused_imports)]
mod rand_pcg {
    #[derive(Clone)]
    pub struct Pcg64Mcg(u128);
    pub mod rand_core {
        pub trait SeedableRng {
            fn seed_from_u64(seed: u64) -> Self;
        }
        impl SeedableRng for super::Pcg64Mcg {
            fn seed_from_u64(seed: u64) -> Self {
                let mut rng = Self(u128::from(seed) << 64 | 0x9E37_79B9_7F4A_7C15);
                (0..4).for_each(|_| { rng.next(); });
                rng
            }
        }
    }
    impl Pcg64Mcg {
        pub fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645);
            ((self.0 >> 64) as u64 ^ self.0 as u64).rotate_right((self.0 >> 122) as u32)
        }
    }
}

#[allow(dead_code, unused_imports)]
mod rand {
    use crate::rand_pcg::Pcg64Mcg;
    pub trait Rng {
        fn random_range(&mut self, range: std::ops::Range<usize>) -> usize;
    }
    impl Rng for Pcg64Mcg {
        fn random_range(&mut self, range: std::ops::Range<usize>) -> usize {
            let count = (range.end - range.start) as u128;
            range.start + (u128::from(self.next()) * count >> 64) as usize
        }
    }
    pub mod seq {
        pub mod index {
            use crate::rand::Rng;
            /// The first places of a shuffle.
            pub fn sample(rng: &mut crate::rand_pcg::Pcg64Mcg, length: usize, amount: usize) -> Vec<usize> {
                let mut all: Vec<usize> = (0..length).collect();
                (0..amount).for_each(|at| all.swap(at, rng.random_range(at..length)));
                all.truncate(amount);
                all
            }
        }
    }
}

mod proconio {
    pub mod source {
        pub trait Source {
            fn next_token(&mut self) -> Option<&str>;
        }
        pub mod once {
            use std::io::{Cursor, Read};
            pub struct OnceSource<R>(Vec<String>, String, std::marker::PhantomData<R>);
            impl OnceSource<Cursor<String>> {
                pub fn new(mut text: Cursor<String>) -> Self {
                    let mut words = String::new();
                    text.read_to_string(&mut words).expect("it is a text");
                    Self(words.split_whitespace().rev().map(String::from).collect(), words, std::marker::PhantomData)
                }
            }
            impl<R> super::Source for OnceSource<R> {
                fn next_token(&mut self) -> Option<&str> {
                    self.1 = self.0.pop()?;
                    Some(&self.1)
                }
            }
        }
    }
}
