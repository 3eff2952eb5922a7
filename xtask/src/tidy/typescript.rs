//! Splits TypeScript and JavaScript into code, comments and literals, so that a check reads only
//! its part.
//!
//! This is a scanner of a few states, not a parser: it knows comments, strings, templates with code
//! inside, and regular expressions as opposed to divisions. The text between the tags of JSX counts
//! as code. Line numbers stay true.

/// The layer of a character of the source.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Code,
    Comment,
    /// The inside of a string or template; the quotes count as code.
    Literal,
    /// The dollar sign of a value in a template.
    Value,
}

/// The parts of a source that hold sentences, each with everything else replaced by spaces. A value
/// in a template is a word of its sentence: a backtick, as code is in Markdown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Texts {
    pub(crate) comments: String,
    pub(crate) literals: String,
}

impl Texts {
    /// Scans a source text.
    pub(crate) fn of(source: &str) -> Texts {
        let chars: Vec<char> = source.chars().collect();
        let kinds = kinds(&chars);
        let layer = |show: fn(char, Kind) -> Option<char>| {
            let blank = |c| if c == '\n' { c } else { ' ' };
            let pairs = chars.iter().zip(&kinds);
            pairs.map(|(&c, &kind)| show(c, kind).unwrap_or(blank(c))).collect()
        };
        Texts {
            comments: layer(|c, kind| (kind == Kind::Comment).then_some(c)),
            literals: layer(|c, kind| match kind {
                Kind::Literal => Some(c),
                Kind::Value => Some('`'),
                _ => None,
            }),
        }
    }
}

/// The kind of each character.
fn kinds(chars: &[char]) -> Vec<Kind> {
    let mut kinds = Vec::with_capacity(chars.len());
    // The open braces, and of those that began inside a template their number at that place.
    let (mut braces, mut templates) = (0_usize, Vec::new());
    while let Some(&first) = chars.get(kinds.len()) {
        let (before, rest) = chars.split_at(kinds.len());
        match (first, rest.get(1)) {
            ('/', Some('/')) => add(&mut kinds, line_len(rest), Kind::Comment),
            ('/', Some('*')) => add(&mut kinds, block_len(rest), Kind::Comment),
            ('/', _) if begins_expression(before) => {
                add(&mut kinds, 1 + expression_len(&rest[1..]), Kind::Code);
            }
            ('"' | '\'', _) => {
                add(&mut kinds, 1, Kind::Code);
                add(&mut kinds, literal_len(&rest[1..], &[&[first], &['\n']]), Kind::Literal);
                add(&mut kinds, 1, Kind::Code);
            }
            ('`', _) | ('}', _) if first == '`' || templates.last() == Some(&braces) => {
                if first == '}' {
                    templates.pop();
                    braces -= 1;
                }
                add(&mut kinds, 1, Kind::Code);
                let len = literal_len(&rest[1..], &[&['`'], &['$', '{']]);
                add(&mut kinds, len, Kind::Literal);
                if rest.get(1 + len) == Some(&'$') {
                    braces += 1;
                    templates.push(braces);
                    add(&mut kinds, 1, Kind::Value);
                }
                add(&mut kinds, 1, Kind::Code);
            }
            _ => {
                match first {
                    '{' => braces += 1,
                    '}' => braces = braces.saturating_sub(1),
                    _ => {}
                }
                add(&mut kinds, 1, Kind::Code);
            }
        }
    }
    // A literal without its end has no closing quote.
    kinds.truncate(chars.len());
    kinds
}

fn add(kinds: &mut Vec<Kind>, count: usize, kind: Kind) {
    kinds.resize(kinds.len() + count, kind);
}

fn line_len(rest: &[char]) -> usize {
    rest.iter().position(|&c| c == '\n').unwrap_or(rest.len())
}

fn block_len(rest: &[char]) -> usize {
    let end = rest.windows(2).skip(2).position(|two| two == ['*', '/']);
    end.map_or(rest.len(), |end| end + 4)
}

/// The characters up to the first of some ends that is not escaped.
fn literal_len(inside: &[char], ends: &[&[char]]) -> usize {
    let mut len = 0;
    while len < inside.len() && !ends.iter().any(|end| inside[len..].starts_with(end)) {
        len += if inside[len] == '\\' { 2 } else { 1 };
    }
    len.min(inside.len())
}

/// Whether a slash after this code begins a regular expression: a division follows a value.
fn begins_expression(before: &[char]) -> bool {
    let end = before.iter().rposition(|c| !c.is_whitespace()).map_or(0, |last| last + 1);
    let code = &before[..end];
    let after_operator = code.last().is_none_or(|last| "(,=:[!&|?{;".contains(*last));
    after_operator || code.ends_with(&['=', '>']) || code.ends_with(&['r', 'e', 't', 'u', 'r', 'n'])
}

/// The characters of a regular expression after its first slash. A slash in brackets ends nothing.
fn expression_len(inside: &[char]) -> usize {
    let (mut len, mut is_class) = (0, false);
    while let Some(&c) = inside.get(len) {
        match c {
            '\n' => return len,
            '/' if !is_class => return len + 1,
            '[' => is_class = true,
            ']' => is_class = false,
            '\\' => len += 1,
            _ => {}
        }
        len += 1;
    }
    inside.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a text: what is not blanked.
    fn words(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    #[test]
    fn comments_and_literals_are_separate_and_keep_their_lines() {
        let source =
            "const a = 'one'; // two\n/* three\n four */ call(\"five \\\" six\", 'x) // no';\n";
        let Texts { comments, literals } = Texts::of(source);
        assert_eq!(words(&comments), ["//", "two", "/*", "three", "four", "*/"]);
        assert_eq!(words(&literals), ["one", "five", "\\\"", "six", "x)", "//", "no"]);
        for text in [comments, literals] {
            assert_eq!(text.matches('\n').count(), source.matches('\n').count());
            assert_eq!(text.chars().count(), source.chars().count());
        }
    }

    #[test]
    fn templates_hold_text_and_code() {
        let source = "const a = `one ${two({ three: `four ${five}` })} six`; // seven\n'eight'";
        let Texts { comments, literals } = Texts::of(source);
        assert_eq!(words(&literals), ["one", "`", "four", "`", "six", "eight"]);
        assert_eq!(words(&comments), ["//", "seven"]);
    }

    #[test]
    fn expressions_and_divisions_hold_no_text() {
        let source = "one.split(/[/\"]'/g); two = a / b / 'three'; return /\\/'/.test(\"four\"); \
                      (x) => /'/.test(x) /* five */";
        let Texts { comments, literals } = Texts::of(source);
        assert_eq!(words(&literals), ["three", "four"]);
        assert_eq!(words(&comments), ["/*", "five", "*/"]);
        let tags = "<p class=\"one\">\n  {two} <br /> don't\n</p> // three";
        assert_eq!(words(&Texts::of(tags).comments), ["//", "three"]);
    }

    #[test]
    fn a_source_that_ends_anywhere_is_read() {
        let source = "`a ${ 'b' } c` /* d */ \"e\\";
        for end in 0..=source.len() {
            assert_eq!(Texts::of(&source[..end]).literals.len(), end);
        }
    }
}
