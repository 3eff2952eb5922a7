//! Values as text: the charset of a file, escapes and line breaks.
//!
//! The format decodes characters first and escapes after: in Big5 the second byte of a character
//! may be that of `\` or `]`, and it is neither. (許, a common name in Taiwan, ends in such a byte.)

use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EncoderResult, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8};

use super::parse::is_space;

/// How the bytes of a file stand for characters. All charsets here contain ASCII.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Charset(&'static Encoding);

impl Charset {
    /// UTF-8, which we write.
    pub const UTF_8: Charset = Charset(UTF_8);

    /// The charset with that name, as `CA` has it. `None` for unknown names, and for charsets in
    /// which the bytes of ASCII mean other things at times.
    pub fn named(label: &str) -> Option<Charset> {
        Encoding::for_label(label.as_bytes()).filter(|e| e.is_ascii_compatible()).map(Charset)
    }

    /// The charset of a file: what `CA` says, unless it says UTF-8 of a file that is not; without
    /// `CA`, UTF-8 if the file is valid as such, else a guess from the bytes.
    pub fn detect(bytes: &[u8]) -> Charset {
        let is_utf8 = std::str::from_utf8(bytes).is_ok();
        match declared(bytes) {
            Some(charset) if charset != Charset::UTF_8 => charset,
            _ if is_utf8 => Charset::UTF_8,
            _ => guess(bytes),
        }
    }

    /// The usual name: `UTF-8`, `Big5`, `windows-1252`.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Reads a value as the format's *Text*: escapes are resolved, an escaped line break vanishes,
    /// and every other line break is `\n`. Bytes that are not characters become U+FFFD.
    pub fn decode(self, value: &[u8]) -> String {
        unescape(&self.characters(value))
    }

    /// Reads a value as the format's *SimpleText*: as [`Charset::decode`], with spaces for the line
    /// breaks.
    pub fn decode_line(self, value: &[u8]) -> String {
        one_line(&self.decode(value))
    }

    /// Reads a value of two parts with a colon between them, such as a label: the first part as
    /// text, and the second as a line. `None` when there is no colon.
    pub fn decode_pair(self, value: &[u8]) -> Option<(String, String)> {
        let text = self.characters(value);
        let mut escaped = false;
        let colon = text.char_indices().find(|&(_, c)| {
            let found = c == ':' && !escaped;
            escaped = c == '\\' && !escaped;
            found
        })?;
        let (first, second) = (&text[..colon.0], &text[colon.0 + 1..]);
        Some((unescape(first), one_line(&unescape(second))))
    }

    /// A value in UTF-8, byte for byte where it is that already.
    pub(super) fn to_utf8(self, value: &[u8]) -> Vec<u8> {
        if self == Charset::UTF_8 && std::str::from_utf8(value).is_ok() {
            return value.to_vec();
        }
        Charset::UTF_8.encode(&self.decode(value)).expect("UTF-8 has all characters")
    }

    /// Writes a text as a value, so that [`Charset::decode`] gives it back, save for the kind of
    /// line breaks.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, Unmappable> {
        self.encode_escaping(text, &['\\', ']'])
    }

    /// The same for the second part of a value with a colon.
    pub(super) fn encode_second(self, text: &str) -> Result<Vec<u8>, Unmappable> {
        self.encode_escaping(text, &['\\', ']', ':'])
    }

    fn encode_escaping(self, text: &str, special: &[char]) -> Result<Vec<u8>, Unmappable> {
        let mut escaped = String::with_capacity(text.len());
        for c in text.chars() {
            if special.contains(&c) {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        if self == Charset::UTF_8 {
            return Ok(escaped.into_bytes());
        }
        let mut encoder = self.0.new_encoder();
        let room = encoder.max_buffer_length_from_utf8_without_replacement(escaped.len());
        let mut bytes = vec![0; room.expect("a text is far shorter than the address space")];
        match encoder.encode_from_utf8_without_replacement(&escaped, &mut bytes, true) {
            (EncoderResult::InputEmpty, _, written) => {
                bytes.truncate(written);
                Ok(bytes)
            }
            (EncoderResult::Unmappable(character), ..) => {
                Err(Unmappable { character, charset: self })
            }
            (EncoderResult::OutputFull, ..) => unreachable!("the buffer has the maximal length"),
        }
    }

    fn characters(self, value: &[u8]) -> std::borrow::Cow<'_, str> {
        self.0.decode_without_bom_handling(value).0
    }

    /// Whether the second byte of a character can be that of `\` or `]`.
    pub(super) fn has_ascii_trails(self) -> bool {
        [BIG5, SHIFT_JIS, GBK, GB18030].contains(&self.0)
    }

    /// The bytes of the first character, for finding the end of a value: 2 for a character that
    /// might hide a `\` or `]`, else 1.
    pub(super) fn character_len(self, bytes: &[u8]) -> usize {
        let (Some(&lead), Some(&trail)) = (bytes.first(), bytes.get(1)) else { return 1 };
        if lead < 0x81 || !self.has_ascii_trails() {
            return 1;
        }
        // In Shift_JIS, 0xA0 to 0xDF are characters of one byte.
        if self.0 == SHIFT_JIS && (0xa0..=0xdf).contains(&lead) {
            return 1;
        }
        let special = trail == b'\\' || trail == b']';
        let pair = match special {
            // A byte that makes no character with the next one does not swallow it.
            true => self
                .0
                .decode_without_bom_handling_and_without_replacement(&bytes[..2])
                .is_some_and(|text| text.chars().count() == 1),
            false => trail >= 0x40,
        };
        1 + usize::from(pair)
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The value of the first `CA[…]` of a file. It is searched in the bytes: it must be known before
/// the file can be cut into values.
fn declared(bytes: &[u8]) -> Option<Charset> {
    for (i, _) in bytes.windows(2).enumerate().filter(|(_, two)| two == b"CA") {
        let begins = i == 0 || is_space(bytes[i - 1]) || b";]".contains(&bytes[i - 1]);
        let rest = &bytes[i + 2..];
        let space = rest.iter().take_while(|&&byte| is_space(byte)).count();
        if let Some(value) = rest[space..].strip_prefix(b"[").filter(|_| begins) {
            let label = value.split(|&b| b == b']').next().unwrap_or_default();
            return Charset::named(std::str::from_utf8(label).ok()?);
        }
    }
    None
}

/// A guess from the words that are not ASCII.
///
/// White space between tokens must not matter, or a file that was written again could be guessed
/// differently: so the detector sees only words, cut where tokens may begin or end. `[` and `]` may
/// be second bytes, hence the cuts *behind* them.
fn guess(bytes: &[u8]) -> Charset {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let cut = |&b: &u8| is_space(b) || b"();[]".contains(&b);
    for word in bytes.split_inclusive(cut) {
        let end = word.iter().rposition(|&b| !(is_space(b) || b"();".contains(&b)));
        let word = &word[..end.map_or(0, |i| i + 1)];
        if !word.is_ascii() {
            detector.feed(word, false);
            detector.feed(b" ", false);
        }
    }
    detector.feed(b"", true);
    Charset(detector.guess(None, Utf8Detection::Deny))
}

/// Resolves escapes, removes escaped line breaks, and makes the others `\n`.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let (c, escaped) = match c {
            '\\' => match chars.next() {
                Some(c) => (c, true),
                None => break,
            },
            c => (c, false),
        };
        if c == '\n' || c == '\r' {
            // CR LF and LF CR are one line break.
            chars.next_if(|&next| next != c && (next == '\n' || next == '\r'));
            if !escaped {
                out.push('\n');
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// The text with `\n` for each line break of whatever kind.
pub fn line_feeds(text: &str) -> String {
    if text.contains('\r') { unescape(&text.replace('\\', "\\\\")) } else { text.to_string() }
}

/// The text with spaces for the line breaks.
pub fn one_line(text: &str) -> String {
    line_feeds(text).replace('\n', " ")
}

/// A character that the charset of the file does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmappable {
    /// The character.
    pub character: char,
    /// The charset.
    pub charset: Charset,
}

impl fmt::Display for Unmappable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the charset {} has no `{}`", self.charset.name(), self.character)
    }
}

impl std::error::Error for Unmappable {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_line_breaks_follow_the_format() {
        let decode = |value: &str| Charset::UTF_8.decode(value.as_bytes());
        assert_eq!(decode(r"a\]b\\c\:d"), r"a]b\c:d");
        assert_eq!(decode("one\\\ntwo\\\r\nthree"), "onetwothree");
        assert_eq!(decode("one\r\ntwo\n\rthree\rfour\nfive"), "one\ntwo\nthree\nfour\nfive");
        assert_eq!(decode("\n\n\r\r"), "\n\n\n", "LF, LF CR, CR");
        assert_eq!(decode("open\\"), "open");
        assert_eq!(Charset::UTF_8.decode_line(b"a\nb\\\nc"), "a bc");
        assert_eq!(
            Charset::UTF_8.decode_pair(br"jj:a\:b"),
            Some(("jj".to_string(), "a:b".to_string()))
        );
        assert_eq!(Charset::UTF_8.decode_pair(br"jj\:a"), None);
    }

    #[test]
    fn the_charset_is_declared_or_valid_or_guessed() {
        let name = |bytes: &[u8]| Charset::detect(bytes).name();
        assert_eq!(name(b"(;CA[Big5]PB[x])"), "Big5");
        assert_eq!(name(b"(; CA\n[ gb2312 ]PB[x])"), "GBK");
        assert_eq!(name(b"(; CA\x0b[Big5]) CA[gb2312]"), "Big5", "any white space of SGF");
        assert_eq!(name("(;PB[王])".as_bytes()), "UTF-8");
        assert_eq!(name(b"(;CA[no such]PB[x])"), "UTF-8");
        assert_eq!(name(b"(;CA[UTF-16]PB[x])"), "UTF-8", "`(;` would be no ASCII");
        assert_eq!(name(b"(;PB[M\xfcller gegen J\xf6rg])"), "windows-1252");
        assert_eq!(name(b"(;CA[UTF-8]PB[M\xfcller gegen J\xf6rg])"), "windows-1252");
    }

    #[test]
    fn encoded_text_decodes_to_itself_in_every_charset() {
        let text = "許功蓋 plays [5] \\ and ]";
        for charset in ["utf-8", "big5", "gb18030", "gbk"] {
            let charset = Charset::named(charset).unwrap();
            let value = charset.encode(text).unwrap();
            assert_eq!(charset.decode(&value), text, "{charset:?}");
        }
        let error = Charset::named("latin1").unwrap().encode(text).unwrap_err();
        assert_eq!(error.to_string(), "the charset windows-1252 has no `許`");
    }

    #[test]
    fn other_line_breaks_become_line_feeds() {
        assert_eq!(line_feeds("a\\b\r\nc\n\rd"), "a\\b\nc\nd");
        assert_eq!(line_feeds("a\n\n"), "a\n\n");
    }
}
