//! Words of several guesses side by side, and counting in all their bits at once.

/// Of which candidates 0, 1, 2, … of the words have a bit.
#[inline(always)]
pub(super) fn counted<const LANES: usize, W>(words: &[[W; LANES]], candidates: W) -> [[W; LANES]; 8]
where
    W: Word,
{
    let mut counts = [[W::default(); LANES]; 8];
    for lane in 0..LANES {
        let (mut ones, mut twos, mut fours) = (W::default(), W::default(), W::default());
        for word in words {
            let carry = ones & word[lane];
            ones = ones ^ word[lane];
            fours = fours | (twos & carry);
            twos = twos ^ carry;
        }
        let of = |bit: usize, word: W| if bit != 0 { word } else { !word };
        for (number, counted) in counts.iter_mut().enumerate() {
            let all = of(number & 1, ones) & of(number & 2, twos) & of(number & 4, fours);
            counted[lane] = all & candidates;
        }
    }
    counts
}

/// An unsigned integer.
pub(super) trait Word:
    Copy
    + Default
    + std::ops::BitAnd<Output = Self>
    + std::ops::BitOr<Output = Self>
    + std::ops::BitXor<Output = Self>
    + std::ops::Not<Output = Self>
{
}

/// Whether the processor has what the faster code is compiled for.
#[cfg(target_arch = "x86_64")]
pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")
}
