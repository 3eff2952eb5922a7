//! Splits Rust source into code, comments and literals, so that a check looks only where it means.
//!
//! This is a scanner of a few states, not a parser: it knows comments (nested ones too), strings
//! (raw ones too), and characters as opposed to lifetimes. Each layer keeps the line structure of
//! the source, with everything of the other layers replaced by spaces: line numbers stay true.

/// What a character of the source belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Code,
    Comment,
    /// The inside of a string or character literal; the quotes count as code.
    Literal,
}

/// A source text, character by character, with what each belongs to.
pub(crate) struct Layers {
    chars: Vec<(char, Kind)>,
}

impl Layers {
    /// Scans a source text.
    pub(crate) fn of(source: &str) -> Layers {
        let mut scanner = Scanner { rest: source, chars: Vec::with_capacity(source.len()) };
        while !scanner.rest.is_empty() {
            scanner.step();
        }
        Layers { chars: scanner.chars }
    }

    /// The source with comments and the insides of literals blanked.
    pub(crate) fn code(&self) -> String {
        self.only(Kind::Code)
    }

    /// The source with everything but comments blanked.
    pub(crate) fn comments(&self) -> String {
        self.only(Kind::Comment)
    }

    /// The source with the insides of literals left out, except for their line ends.
    pub(crate) fn without_literals(&self) -> String {
        let kept = self.chars.iter().filter(|(c, kind)| *c == '\n' || *kind != Kind::Literal);
        kept.map(|(c, _)| *c).collect()
    }

    /// The source with every character inside a literal replaced by an `x`.
    pub(crate) fn masked(&self) -> String {
        let mask = |&(c, kind): &(char, Kind)| {
            if kind == Kind::Literal && c != '\n' { 'x' } else { c }
        };
        self.chars.iter().map(mask).collect()
    }

    fn only(&self, wanted: Kind) -> String {
        let blank = |c: char| if c == '\n' { c } else { ' ' };
        self.chars.iter().map(|&(c, kind)| if kind == wanted { c } else { blank(c) }).collect()
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
    rest: &'a str,
    chars: Vec<(char, Kind)>,
}

impl Scanner<'_> {
    /// Consumes one comment, one literal, or one character of code.
    fn step(&mut self) {
        if self.rest.starts_with("//") {
            let len = self.rest.find('\n').unwrap_or(self.rest.len());
            self.take(len, Kind::Comment);
        } else if self.rest.starts_with("/*") {
            self.take(block_comment_len(self.rest), Kind::Comment);
        } else if let Some((open, inside, close)) = self.literal() {
            self.take(open, Kind::Code);
            self.take(inside, Kind::Literal);
            self.take(close, Kind::Code);
        } else {
            let len = self.rest.chars().next().map_or(0, char::len_utf8);
            self.take(len, Kind::Code);
        }
    }

    /// The byte lengths of opening, inside and closing of the literal that starts here, if any.
    fn literal(&self) -> Option<(usize, usize, usize)> {
        if self.rest.starts_with('"') {
            return Some(quoted(self.rest, '"'));
        }
        if self.rest.starts_with('\'') {
            return character(self.rest);
        }
        // An `r` that ends an identifier starts no raw string; the `r` of `br"` and `cr"` does.
        let previous = |back: usize| {
            let index = self.chars.len().checked_sub(back)?;
            Some(self.chars[index].0)
        };
        let glued = match previous(1) {
            Some('b' | 'c') => previous(2).is_some_and(is_word),
            other => other.is_some_and(is_word),
        };
        if !self.rest.starts_with('r') || glued {
            return None;
        }
        let hashes = self.rest[1..].bytes().take_while(|&byte| byte == b'#').count();
        if self.rest.as_bytes().get(1 + hashes) != Some(&b'"') {
            return None; // A raw identifier, or a plain word.
        }
        let open = hashes + 2;
        let end = format!("\"{}", "#".repeat(hashes));
        Some(match self.rest[open..].find(&end) {
            Some(inside) => (open, inside, end.len()),
            None => (open, self.rest.len() - open, 0),
        })
    }

    fn take(&mut self, len: usize, kind: Kind) {
        let (taken, rest) = self.rest.split_at(len);
        self.chars.extend(taken.chars().map(|c| (c, kind)));
        self.rest = rest;
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
            assert_eq!(Layers::of(source).chars.len(), source.chars().count(), "{source}");
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
