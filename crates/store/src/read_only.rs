//! A file that the database reads and never changes: what the database writes to repair the file
//! after a crash goes into memory.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redb::StorageBackend;

/// Bytes of a block.
const BLOCK: u64 = 4096;

/// A backend that keeps its changes in memory.
#[derive(Debug)]
pub(crate) struct ReadOnlyFile<F> {
    file: F,
    overlay: Mutex<Overlay>,
}

#[derive(Debug)]
struct Overlay {
    len: u64,
    /// The bytes of the file that still count; behind them are zeros.
    file_len: u64,
    /// The blocks that were written, by number.
    blocks: BTreeMap<u64, Vec<u8>>,
}

impl<F: StorageBackend> ReadOnlyFile<F> {
    pub(crate) fn new(file: F) -> io::Result<ReadOnlyFile<F>> {
        let len = file.len()?;
        let overlay = Overlay { len, file_len: len, blocks: BTreeMap::new() };
        Ok(ReadOnlyFile { file, overlay: Mutex::new(overlay) })
    }

    fn overlay(&self) -> MutexGuard<'_, Overlay> {
        self.overlay.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of the file from `offset` on, with zeros behind its end.
    fn original(&self, overlay: &Overlay, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let there = overlay.file_len.saturating_sub(offset).min(len as u64) as usize;
        let mut bytes = if there > 0 { self.file.read(offset, there)? } else { Vec::new() };
        bytes.resize(len, 0);
        Ok(bytes)
    }
}

/// The blocks that a range of bytes touches: number, where in the block, where in the range.
fn blocks_of(
    offset: u64,
    len: usize,
) -> impl Iterator<Item = (u64, usize, std::ops::Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at == len {
            return None;
        }
        let place = offset + at as u64;
        let within = (place % BLOCK) as usize;
        let end = len.min(at + BLOCK as usize - within);
        let part = at..end;
        at = end;
        Some((place / BLOCK, within, part))
    })
}

impl<F: StorageBackend> StorageBackend for ReadOnlyFile<F> {
    fn len(&self) -> io::Result<u64> {
        Ok(self.overlay().len)
    }

    fn read(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let overlay = self.overlay();
        if offset.checked_add(len as u64).is_none_or(|end| overlay.len < end) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut bytes = self.original(&overlay, offset, len)?;
        if overlay.blocks.is_empty() {
            return Ok(bytes);
        }
        for (number, within, part) in blocks_of(offset, len) {
            if let Some(block) = overlay.blocks.get(&number) {
                let size = part.len();
                bytes[part].copy_from_slice(&block[within..within + size]);
            }
        }
        Ok(bytes)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut overlay = self.overlay();
        overlay.len = len;
        overlay.file_len = overlay.file_len.min(len);
        overlay.blocks.split_off(&len.div_ceil(BLOCK));
        if let Some(last) = overlay.blocks.get_mut(&(len / BLOCK)) {
            last[(len % BLOCK) as usize..].fill(0);
        }
        Ok(())
    }

    fn sync_data(&self, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut overlay = self.overlay();
        for (number, within, part) in blocks_of(offset, data.len()) {
            if !overlay.blocks.contains_key(&number) {
                let block = self.original(&overlay, number * BLOCK, BLOCK as usize)?;
                overlay.blocks.insert(number, block);
            }
            let block = overlay.blocks.get_mut(&number).expect("just put there");
            block[within..within + part.len()].copy_from_slice(&data[part]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbtest;
    use redb::backends::InMemoryBackend;

    #[test]
    fn it_behaves_as_a_file_and_leaves_the_file_alone() {
        arbtest(|u| {
            let original: Vec<u8> = (0..u.int_in_range(0..=9_000)?).map(|i| i as u8).collect();
            let file = InMemoryBackend::new();
            file.set_len(original.len() as u64).unwrap();
            file.write(0, &original).unwrap();
            let read_only = ReadOnlyFile::new(file).unwrap();
            let mut model = original.clone();
            for _ in 0..u.int_in_range(0..=12)? {
                if u.arbitrary()? {
                    let len = u.int_in_range(0..=20_000)?;
                    model.resize(len, 0);
                    read_only.set_len(len as u64).unwrap();
                } else {
                    let from = u.int_in_range(0..=model.len())?;
                    let to = u.int_in_range(from..=model.len())?;
                    let byte = u.arbitrary()?;
                    model[from..to].fill(byte);
                    read_only.write(from as u64, &vec![byte; to - from]).unwrap();
                }
                let from = u.int_in_range(0..=model.len())?;
                let to = u.int_in_range(from..=model.len())?;
                assert_eq!(read_only.read(from as u64, to - from).unwrap(), model[from..to]);
                assert_eq!(read_only.len().unwrap(), model.len() as u64);
                assert!(read_only.read(from as u64, model.len() + 1).is_err());
            }
            let after = read_only.file.read(0, original.len()).unwrap();
            assert_eq!(after, original);
            assert_eq!(read_only.file.len().unwrap(), original.len() as u64);
            Ok(())
        });
    }
}
