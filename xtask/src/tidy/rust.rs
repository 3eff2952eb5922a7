//! Splits Rust source into code, comments and literals, so that a check reads only its part.
//!
//! This is a scanner of a few states, not a parser: it knows comments (nested ones too), strings
//! (raw ones too), and characters as opposed to lifetimes. Each layer keeps the line structure of
//! the source, with everything of the other layers replaced by spaces: line numbers stay true.

/// The layer of a character of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Code,
    Comment,
    /// The inside of a string or character literal; the quotes count as code.
    Literal,
}

/// A source text in pieces, each with its layer.
pub(crate) struct Layers<'a> {
    pieces: Vec<(&'a str, Kind)>,
}

impl Layers<'_> {
    /// Scans a source text.
    pub(crate) fn of(source: &str) -> Layers<'_> {
        let mut scanner = Scanner { source, start: 0, pieces: Vec::new() };
        while scanner.start < source.len() {
            scanner.step();
        }
        Layers { pieces: scanner.pieces }
    }

    /// The source with comments and the insides of literals blanked.
    pub(crate) fn code(&self) -> String {
        self.with(|kind| kind == Kind::Code, Some(' '))
    }

    /// The source with comments blanked, and an `x` for every character inside a literal.
    pub(crate) fn statements(&self) -> String {
        let (code, literals) = (self.code(), self.literals());
        // All layers have the same characters, blanked or not.
        let pairs = code.chars().zip(literals.chars());
        pairs
            .map(|(code, literal)| if matches!(literal, ' ' | '\n') { code } else { 'x' })
            .collect()
    }

    /// The source with everything but comments blanked.
    pub(crate) fn comments(&self) -> String {
        self.with(|kind| kind == Kind::Comment, Some(' '))
    }

    /// The source with everything but the insides of literals blanked.
    pub(crate) fn literals(&self) -> String {
        self.with(|kind| kind == Kind::Literal, Some(' '))
    }

    /// The source with the insides of literals left out, except for their line ends.
    pub(crate) fn without_literals(&self) -> String {
        self.with(|kind| kind != Kind::Literal, None)
    }

    /// The source with every character inside a literal replaced by an `x`.
    pub(crate) fn masked(&self) -> String {
        self.with(|kind| kind != Kind::Literal, Some('x'))
    }

    /// The kept pieces; of the others the line ends, and the mask for every other character.
    fn with(&self, is_kept: impl Fn(Kind) -> bool, mask: Option<char>) -> String {
        let mut out = String::new();
        for &(text, kind) in &self.pieces {
            if is_kept(kind) {
                out.push_str(text);
            } else {
                out.extend(text.chars().filter_map(|c| if c == '\n' { Some(c) } else { mask }));
            }
        }
        out
    }
}

/// Blanks every item under `#[cfg(test)]` in a text of [`Layers::code`].
pub(crate) fn without_test_items(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(start) = rest.find(MARK) {
        let (before, item) = rest.split_at(start);
        let (item, after) = item.split_at(item_len(item));
        kept.push_str(before);
        kept.extend(item.chars().map(|c| if c == '\n' { c } else { ' ' }));
        rest = after;
    }
    kept + rest
}

/// The bytes up to the `;` or closing brace that ends the item at the beginning of `code`.
fn item_len(code: &str) -> usize {
    let mut depth = 0;
    for (index, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth <= 1 => return index + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return index + 1,
            _ => {}
        }
    }
    code.len()
}

struct Scanner<'a> {
    source: &'a str,
    /// The place from which nothing is scanned yet.
    start: usize,
    pieces: Vec<(&'a str, Kind)>,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.start..]
    }

    /// Consumes one comment, one literal, or code up to where one of them may begin.
    fn step(&mut self) {
        let rest = self.rest();
        if rest.starts_with("//") {
            let len = rest.find('\n').unwrap_or(rest.len());
            self.take(len, Kind::Comment);
        } else if rest.starts_with("/*") {
            self.take(block_comment_len(rest), Kind::Comment);
        } else if let Some((open, inside, close)) = self.literal() {
            self.take(open, Kind::Code);
            self.take(inside, Kind::Literal);
            self.take(close, Kind::Code);
        } else {
            let may_begin = |byte| matches!(byte, b'/' | b'"' | b'\'' | b'r');
            let len = rest.bytes().skip(1).position(may_begin);
            self.take(len.map_or(rest.len(), |len| len + 1), Kind::Code);
        }
    }

    /// The byte lengths of opening, inside and closing of the literal that starts here, if any.
    fn literal(&self) -> Option<(usize, usize, usize)> {
        let rest = self.rest();
        match rest.as_bytes()[0] {
            b'"' => return Some(quoted(rest, '"')),
            b'\'' => return character(rest),
            b'r' => {}
            _ => return None,
        }
        // An `r` that ends an identifier starts no raw string; the `r` of `br"` and `cr"` does.
        let mut before = self.source[..self.start].chars().rev();
        let glued = match before.next() {
            Some('b' | 'c') => before.next().is_some_and(is_word),
            other => other.is_some_and(is_word),
        };
        if glued {
            return None;
        }
        let hashes = rest[1..].bytes().take_while(|&byte| byte == b'#').count();
        if rest.as_bytes().get(1 + hashes) != Some(&b'"') {
            return None; // A raw identifier, or a plain word.
        }
        let open = hashes + 2;
        let end = format!("\"{}", "#".repeat(hashes));
        Some(match rest[open..].find(&end) {
            Some(inside) => (open, inside, end.len()),
            None => (open, rest.len() - open, 0),
        })
    }

    fn take(&mut self, len: usize, kind: Kind) {
        self.pieces.push((&self.rest()[..len], kind));
        self.start += len;
    }
}

/// Whether a character can stand inside an identifier.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn block_comment_len(text: &str) -> usize {
    let (mut depth, mut index) = (0, 0);
    while index < text.len() {
        let rest = &text.as_bytes()[index..];
        if rest.starts_with(b"/*") {
            depth += 1;
            index += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            index += 2;
            if depth == 0 {
                return index;
            }
        } else {
            index += 1;
        }
    }
    text.len()
}

/// The lengths of a literal between plain quotes, where a backslash protects what follows it.
fn quoted(text: &str, quote: char) -> (usize, usize, usize) {
    let mut escaped = false;
    for (index, c) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return (1, index - 1, 1);
        }
    }
    (1, text.len() - 1, 0)
}

/// A character literal as opposed to a lifetime: `'\…'`, or a quote two characters further on.
fn character(text: &str) -> Option<(usize, usize, usize)> {
    let mut chars = text.chars().skip(1);
    match (chars.next()?, chars.next()) {
        ('\\', _) => Some(quoted(text, '\'')),
        (c, Some('\'')) => Some((1, c.len_utf8(), 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_separate_code_comments_and_literals() {
        let source = "let a = \"x // y\"; // \"z\"\n/* p /* q */ r */ b('\"', 'l: \"s\\\"t\");";
        let layers = Layers::of(source);
        assert_eq!(
            layers.code(),
            "let a = \"      \";       \n                  b(' ', 'l: \"    \");"
        );
        assert_eq!(layers.comments().trim_end(), format!("{:18}// \"z\"\n/* p /* q */ r */", ""));
        assert_eq!(
            layers.without_literals(),
            "let a = \"\"; // \"z\"\n/* p /* q */ r */ b('', 'l: \"\");"
        );
    }

    #[test]
    fn raw_strings_end_at_their_own_quotes() {
        let source = "r#\"a\"b\"# c r\"d\" br\"e\" for\"f\" r#type";
        assert_eq!(Layers::of(source).code(), "r#\"   \"# c r\" \" br\" \" for\" \" r#type");
    }

    #[test]
    fn unfinished_literals_and_comments_end_with_the_text() {
        for source in ["\"a", "r#\"a\"", "/* a /* b */", "'\\", "'", "// a"] {
            let pieces = Layers::of(source).pieces;
            assert_eq!(pieces.iter().map(|(text, _)| *text).collect::<String>(), source);
        }
    }

    #[test]
    fn test_items_are_blanked_and_lines_stay() {
        let code = "a\n#[cfg(test)]\nmod tests {\n  b { c }\n}\nd\n#[cfg(test)] use e;\nf";
        let kept = without_test_items(code);
        assert_eq!(kept.split_whitespace().collect::<String>(), "adf");
        assert_eq!(kept.lines().count(), code.lines().count());
    }
}
