//! Records as bytes. Nothing in the file is trusted: decoding is total, every record carries a sum
//! of its bytes, and lengths are checked before anything is unpacked.

use sixproof_game::repeatable::{FNV_START, fnv};

use crate::error::{Error, Result};
use crate::packing::{Unpacked, pack};

/// The longest certificate that is kept, unpacked.
pub const CERTIFICATE_BYTES_MAX: usize = 1 << 30;
/// The first byte of every record, behind its sum.
const FORMAT: u8 = 1;
/// The level of compression, a compromise: the thread that finds a proof packs it.
const ZSTD_LEVEL: i32 = 9;

/// How a proof was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofMeta {
    /// The order of the strategy, if it is known: a certificate does not say it.
    pub order: Option<u32>,
    /// Nodes of the search.
    pub search_nodes: u64,
    /// The version of the program; at most 255 bytes are kept.
    pub version: String,
}

/// The result that no strategy up to some order wins, and how it was found. It has no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The highest order that was searched to its end.
    pub order: u32,
    /// Nodes of the search.
    pub search_nodes: u64,
    /// The version of the program; at most 255 bytes are kept.
    pub version: String,
}

/// What is wrong with a record.
pub(crate) type DamageReason = &'static str;

/// The hash of bytes. It guards against accidents; against forgers there is the checker.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    fnv(FNV_START, bytes)
}

/// A proof as it is kept: the certificate packed, in the canonical orientation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    pub(crate) meta: ProofMeta,
    pub(crate) certificate_nodes: u64,
    /// The hash of the certificate.
    pub(crate) hash: u64,
    /// The length of the certificate.
    bytes: u64,
    packed: Vec<u8>,
}

impl Packed {
    pub(crate) fn new(
        meta: ProofMeta,
        certificate_nodes: u64,
        certificate: &[u8],
    ) -> Result<Packed> {
        if certificate.len() > CERTIFICATE_BYTES_MAX {
            return Err(Error::TooLong);
        }
        let packed = pack(certificate, ZSTD_LEVEL)?;
        let bytes = certificate.len() as u64;
        Ok(Packed { meta, certificate_nodes, hash: hash(certificate), bytes, packed })
    }

    pub(crate) fn certificate(&self) -> std::result::Result<Vec<u8>, DamageReason> {
        const BAD: DamageReason = "its certificate cannot be unpacked";
        let bytes = usize::try_from(self.bytes).map_err(|_| BAD)?;
        let certificate = Unpacked::whole(&self.packed[..], bytes).map_err(|_| BAD)?;
        if certificate.len() != bytes || hash(&certificate) != self.hash {
            return Err(BAD);
        }
        Ok(certificate)
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![FORMAT];
        // No strategy has order 0, so 0 stands for an unknown order.
        out.extend(self.meta.order.unwrap_or(0).to_le_bytes());
        for number in [self.meta.search_nodes, self.certificate_nodes, self.hash, self.bytes] {
            out.extend(number.to_le_bytes());
        }
        put_text(&mut out, &self.meta.version);
        out.extend(&self.packed);
        summed(&out)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> std::result::Result<Packed, DamageReason> {
        let mut rest = Bytes(unsummed(bytes)?);
        rest.format()?;
        let order = rest.u32()?;
        let [search_nodes, certificate_nodes, hash, bytes] =
            [rest.u64()?, rest.u64()?, rest.u64()?, rest.u64()?];
        let version = rest.text()?;
        if bytes > CERTIFICATE_BYTES_MAX as u64 {
            return Err("its certificate is too long");
        }
        let meta = ProofMeta { order: (order > 0).then_some(order), search_nodes, version };
        Ok(Packed { meta, certificate_nodes, hash, bytes, packed: rest.0.to_vec() })
    }
}

pub(crate) fn refutation_to_bytes(refutation: &Refutation) -> Vec<u8> {
    let mut out = vec![FORMAT];
    out.extend(refutation.order.to_le_bytes());
    out.extend(refutation.search_nodes.to_le_bytes());
    put_text(&mut out, &refutation.version);
    summed(&out)
}

pub(crate) fn refutation_from_bytes(bytes: &[u8]) -> std::result::Result<Refutation, DamageReason> {
    let mut rest = Bytes(unsummed(bytes)?);
    rest.format()?;
    let (order, search_nodes) = (rest.u32()?, rest.u64()?);
    let version = rest.text()?;
    if !rest.0.is_empty() {
        return Err("there is more in the record than belongs to it");
    }
    Ok(Refutation { order, search_nodes, version })
}

/// The bytes with their sum in front.
pub(crate) fn summed(bytes: &[u8]) -> Vec<u8> {
    let mut out = hash(bytes).to_le_bytes().to_vec();
    out.extend(bytes);
    out
}

/// The bytes behind their sum, if it is right.
pub(crate) fn unsummed(bytes: &[u8]) -> std::result::Result<&[u8], DamageReason> {
    let (sum, rest) = bytes.split_first_chunk::<8>().ok_or("the record is too short")?;
    if u64::from_le_bytes(*sum) != hash(rest) {
        return Err("the sum of its bytes is wrong");
    }
    Ok(rest)
}

/// Writes a short text: its length, then its bytes, cut to the first 255.
fn put_text(out: &mut Vec<u8>, text: &str) {
    let end = (0..=text.len().min(255)).rev().find(|&end| text.is_char_boundary(end));
    let text = &text[..end.unwrap_or(0)];
    out.push(text.len() as u8);
    out.extend(text.as_bytes());
}

/// The bytes left to decode.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> std::result::Result<[u8; N], DamageReason> {
        let (head, rest) = self.0.split_first_chunk::<N>().ok_or("the record is too short")?;
        self.0 = rest;
        Ok(*head)
    }

    fn format(&mut self) -> std::result::Result<(), DamageReason> {
        match self.take()? {
            [FORMAT] => Ok(()),
            _ => Err("a kind of record that is not known"),
        }
    }

    fn u32(&mut self) -> std::result::Result<u32, DamageReason> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> std::result::Result<u64, DamageReason> {
        self.take().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> std::result::Result<String, DamageReason> {
        let [len] = self.take()?;
        let (text, rest) = self.0.split_at_checked(len.into()).ok_or("the record is too short")?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).map_err(|_| "a text in it is not UTF-8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbitrary::{Result as Arbitrary, Unstructured};
    use arbtest::arbtest;

    const CERTIFICATE: &[u8] = include_bytes!("../../../suite/good/go-moku.cert");

    fn meta() -> ProofMeta {
        ProofMeta { order: Some(2), search_nodes: 12_345, version: "0.1.0".to_string() }
    }

    /// Changes, cuts and adds bytes; now and then with a right sum, as a forger would.
    fn damaged(bytes: &[u8], u: &mut Unstructured<'_>) -> Arbitrary<Vec<u8>> {
        let mut bytes = bytes.to_vec();
        for _ in 0..u.int_in_range(1..=4)? {
            match u.int_in_range(0..=4)? {
                0 => bytes.truncate(u.choose_index(bytes.len() + 1)?),
                1 => bytes.push(u.arbitrary()?),
                _ if bytes.is_empty() => {}
                _ => {
                    // The head is where the lengths are.
                    let len = if u.arbitrary()? { bytes.len().min(64) } else { bytes.len() };
                    let at = u.choose_index(len)?;
                    bytes[at] = u.arbitrary()?;
                }
            }
        }
        Ok(if u.arbitrary()? && bytes.len() > 8 { summed(&bytes[8..]) } else { bytes })
    }

    #[test]
    fn records_come_back_as_they_were() {
        let packed = Packed::new(meta(), 7, CERTIFICATE).unwrap();
        let again = Packed::from_bytes(&packed.to_bytes()).unwrap();
        assert_eq!(again, packed);
        assert_eq!(again.certificate().unwrap(), CERTIFICATE);
        let unknown = ProofMeta { order: None, version: "ä".repeat(200), ..meta() };
        let again = Packed::new(unknown, 7, b"").unwrap();
        let again = Packed::from_bytes(&again.to_bytes()).unwrap();
        assert_eq!((again.meta.order, again.meta.version.len()), (None, 254));
        let refutation = Refutation { order: 3, search_nodes: 9, version: "1".to_string() };
        let again = refutation_from_bytes(&refutation_to_bytes(&refutation));
        assert_eq!(again, Ok(refutation));
    }

    #[test]
    fn no_bytes_make_a_decoder_panic() {
        let proof = Packed::new(meta(), 7, CERTIFICATE).unwrap().to_bytes();
        let refutation =
            refutation_to_bytes(&Refutation { order: 3, search_nodes: 9, version: "1".into() });
        let mut read = [0; 4];
        // Until each kind has come up several times, also on a slow machine.
        while read.iter().any(|&count| count <= 5) {
            arbtest(|u| {
                let bytes = damaged(if u.arbitrary()? { &proof } else { &refutation }, u)?;
                let packed = Packed::from_bytes(&bytes);
                let unpacked = packed.as_ref().is_ok_and(|packed| packed.certificate().is_ok());
                read[usize::from(packed.is_ok()) + usize::from(unpacked)] += 1;
                read[3] += u32::from(refutation_from_bytes(&bytes).is_ok());
                Ok(())
            })
            .budget_ms(500)
            .run();
        }
    }

    #[test]
    fn a_record_that_unpacks_to_more_than_it_says_is_refused() {
        let mut packed = Packed::new(meta(), 1, &[b' '; 1_000_000]).unwrap();
        packed.bytes = 10;
        packed.hash = hash(&[b' '; 10]);
        assert!(packed.certificate().is_err());
    }
}
