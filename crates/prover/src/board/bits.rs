//! The ones of a word, one by one.

/// The positions of the ones of a word, in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct Bits(pub u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let position = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ones_come_in_ascending_order() {
        for word in [0, 1, 1 << 63, 0b1011_0000, u64::MAX] {
            let ones: Vec<u32> = (0..64).filter(|&position| word >> position & 1 == 1).collect();
            assert_eq!(Bits(word).collect::<Vec<u32>>(), ones);
        }
    }
}
