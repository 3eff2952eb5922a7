//! Choices made by bytes, so that a fuzzer which changes bytes changes choices.

/// Bytes that choices use up. At their end every choice is the first one.
pub(crate) struct Draw<'a> {
    bytes: &'a [u8],
}

impl<'a> Draw<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Draw<'a> {
        Draw { bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        first
    }

    /// A number below `bound`, which is from 1 to 256.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    /// A number from `low` to `high`, not more than 255 apart.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as usize) as i32
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub(crate) fn number(&mut self) -> u32 {
        (0..4).fold(0, |n, _| n << 8 | u32::from(self.byte()))
    }

    /// Up to `most` bytes as text; what is not UTF-8 is replaced.
    pub(crate) fn text(&mut self, most: usize) -> String {
        let len = self.below(most + 1).min(self.bytes.len());
        let (text, rest) = self.bytes.split_at(len);
        self.bytes = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}
