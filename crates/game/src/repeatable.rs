//! Numbers that are the same on every machine and in every version: random ones from a seed, and
//! hashes of bytes.

/// The next of a fixed sequence of well-mixed numbers: SplitMix64 (Steele, Lea, Flood 2014).
pub fn mix(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *seed;
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The start of an FNV-1a hash.
pub const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// The FNV-1a hash of bytes in 64 bits (Fowler, Noll, Vo), which goes on from `start`: against
/// accidents, not against forgers.
pub fn fnv(start: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(start, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv(FNV_START, b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(FNV_START, b"foobar"), 0x8594_4171_f739_67e8);
    }
}
