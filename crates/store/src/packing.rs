//! Packs with zstd, and unpacks within limits. A forged file of a few bytes can unpack to any
//! length. So every reader of packed bytes reads them here, and refuses a file that unpacks to far
//! more than any proof or game does before it has cost much. Such a file is not written, either.

use std::fmt;
use std::io::{self, BufRead, Read};

/// The most bytes to which one packed byte unpacks. For certificates it is about 12, at most 18 so
/// far; for repeated white space, 30,000.
pub const RATIO_MAX: u64 = 250;
/// The bytes to which any file may unpack, however short it is.
pub const FREE_BYTES: u64 = 1 << 20;
/// The most bytes to which a file unpacks. The checker reads them as a stream; readers that need
/// them all at once have lower limits of their own.
pub const UNPACKED_BYTES_MAX: u64 = 16 << 30;
/// How a zstd stream starts.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Whether bytes are packed.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Packed bytes unpack to more than a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMuch {
    /// To more than [`RATIO_MAX`] times their number.
    Ratio,
    /// To more than this number of bytes.
    Bytes(u64),
}

impl TooMuch {
    /// Whether an error of [`Unpacked`] says that there was too much.
    pub fn is_in(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|error| error.is::<TooMuch>())
    }
}

impl fmt::Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooMuch::Ratio => write!(
                f,
                "it unpacks to more than {RATIO_MAX} times its size, which no proof and no game \
                 does; if you trust it, unpack it with `zstd -d` and use that"
            ),
            TooMuch::Bytes(bytes) => write!(f, "it unpacks to more than {} MiB", bytes >> 20),
        }
    }
}

impl std::error::Error for TooMuch {}

/// Packs bytes; fails with [`TooMuch`] if [`Unpacked`] would refuse to unpack them again.
pub fn pack(bytes: &[u8], level: i32) -> io::Result<Vec<u8>> {
    let packed = zstd::encode_all(bytes, level)?;
    if bytes.len() as u64 > FREE_BYTES {
        io::copy(&mut Unpacked::new(&packed[..], u64::MAX)?, &mut io::sink())?;
    }
    Ok(packed)
}

/// Reads what packed bytes unpack to, and fails with [`TooMuch`] where that is too much.
pub struct Unpacked<R: BufRead> {
    decoder: zstd::Decoder<'static, Counted<R>>,
    unpacked: u64,
    max: u64,
}

impl<R: BufRead> Unpacked<R> {
    /// Unpacks `packed`, up to `max` bytes and no more than [`UNPACKED_BYTES_MAX`].
    pub fn new(packed: R, max: u64) -> io::Result<Unpacked<R>> {
        let decoder = zstd::Decoder::with_buffer(Counted { input: packed, bytes: 0 })?;
        Ok(Unpacked { decoder, unpacked: 0, max: max.min(UNPACKED_BYTES_MAX) })
    }

    /// All that `packed` unpacks to, up to `max` bytes.
    pub fn whole(packed: R, max: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Unpacked::new(packed, max as u64)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer)?;
        self.unpacked += read as u64;
        let packed = self.decoder.get_ref().bytes;
        if self.unpacked > self.max {
            return Err(io::Error::new(io::ErrorKind::InvalidData, TooMuch::Bytes(self.max)));
        }
        if self.unpacked > FREE_BYTES.max(packed.saturating_mul(RATIO_MAX)) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, TooMuch::Ratio));
        }
        Ok(read)
    }
}

/// Packed bytes, counted as they are used.
struct Counted<R> {
    input: R,
    bytes: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.input.consume(bytes);
        self.bytes += bytes as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbtest;

    const CERTIFICATE: &[u8] = include_bytes!("../../../suite/good/go-moku.cert");

    /// A certificate with white space behind it.
    fn bomb(bytes: usize) -> Vec<u8> {
        let mut packed = zstd::encode_all(CERTIFICATE, 3).unwrap();
        packed.extend(zstd::encode_all(io::repeat(b' ').take(bytes as u64), 1).unwrap());
        packed
    }

    #[test]
    fn what_is_packed_comes_back_up_to_the_limit() {
        let packed = pack(CERTIFICATE, 19).unwrap();
        assert!(is_packed(&packed) && !is_packed(CERTIFICATE));
        let len = CERTIFICATE.len();
        assert_eq!(Unpacked::whole(&packed[..], len).unwrap(), CERTIFICATE);
        let error = Unpacked::whole(&packed[..], len - 1).unwrap_err();
        assert!(TooMuch::is_in(&error), "{error}");
        // A short file may be as regular as it likes.
        let regular = vec![b' '; FREE_BYTES as usize];
        let packed = pack(&regular, 19).unwrap();
        assert_eq!(Unpacked::whole(&packed[..], regular.len()).unwrap(), regular);
        let error = pack(&[regular, vec![b' ']].concat(), 19).unwrap_err();
        assert!(TooMuch::is_in(&error), "{error}");
    }

    #[test]
    fn a_bomb_is_refused_before_it_has_cost_anything() {
        let packed = bomb(100_000_000);
        let mut unpacked = Unpacked::new(&packed[..], u64::MAX).unwrap();
        let (mut buffer, mut total) = (vec![0; 1 << 16], 0);
        let error = loop {
            match unpacked.read(&mut buffer) {
                Ok(0) => panic!("{total} bytes were unpacked"),
                Ok(read) => total += read as u64,
                Err(error) => break error,
            }
        };
        assert!(TooMuch::is_in(&error) && error.to_string().contains("250 times"), "{error}");
        assert!(total <= FREE_BYTES.max(RATIO_MAX * packed.len() as u64), "{total}");
    }

    #[test]
    fn no_bytes_unpack_to_more_than_the_limits() {
        let seeds = [bomb(3 << 20), zstd::encode_all(CERTIFICATE, 3).unwrap()];
        arbtest(|u| {
            let mut packed = u.choose(&seeds)?.clone();
            for _ in 0..u.int_in_range(0..=3)? {
                let at = u.choose_index(packed.len())?;
                packed[at] = u.arbitrary()?;
            }
            packed.truncate(u.int_in_range(0..=packed.len())?);
            if let Ok(bytes) = Unpacked::whole(&packed[..], 2 << 20) {
                let most = FREE_BYTES.max(RATIO_MAX * packed.len() as u64).min(2 << 20);
                assert!(bytes.len() as u64 <= most);
            }
            Ok(())
        })
        .budget_ms(sixproof_oracle::effort(300, 1_000))
        .run();
    }
}
