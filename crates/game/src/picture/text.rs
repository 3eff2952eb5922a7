//! Texts of pictures: cleaning of hostile input, and the width of texts.

/// A text without characters that draw nothing or reorder their neighbours, at most `max`
/// characters long; a longer one ends in dots. White space becomes single spaces.
pub(super) fn clean(text: &str, max: usize) -> String {
    let mut clean = String::new();
    let mut count = 0;
    for c in text.trim().chars() {
        let c = if c.is_whitespace() { ' ' } else { c };
        if !is_drawn(c) || c == ' ' && clean.ends_with(' ') {
            continue;
        }
        if count == max {
            clean.pop();
            clean.push('…');
            break;
        }
        clean.push(c);
        count += 1;
    }
    clean.truncate(clean.trim_end().len());
    clean
}

/// Whether a character may be in a picture: no control characters, no marks that change the
/// direction of writing, no joiners, and nothing that XML forbids.
fn is_drawn(c: char) -> bool {
    let hidden = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
        | '\u{e0000}'..='\u{e0fff}');
    !c.is_control() && !hidden
}

/// A text with the characters escaped that mean something in XML.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// About how wide a text is in a sans-serif font, in hundredths of the font size. It only has to be
/// near enough to wrap lines and to choose sizes.
pub(super) fn width_hundredths(text: &str) -> i32 {
    text.chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | ' ' | 'I' => 30,
            'f' | 't' | 'r' | '(' | ')' | '-' | '/' => 40,
            'm' | 'w' | 'M' | 'W' | '@' | '%' => 88,
            'A'..='Z' => 70,
            '0'..='9' => 63,
            '\u{1100}'.. => 100,
            _ => 60,
        })
        .sum()
}

/// The lines of a text broken between words so that none is much wider than `width` (in units of
/// the picture) in letters of `size`.
pub(super) fn wrap(text: &str, size: i32, width: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let fits = |line: &str| width_hundredths(line) * size <= width * 100;
        match lines.last_mut() {
            Some(line) if fits(&format!("{line} {word}")) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// A text for a terminal whose every character has a known width there; others become `?`.
pub(super) fn terminal_text(text: &str, max: usize, unicode: bool) -> String {
    clean(text, max)
        .chars()
        .flat_map(|c| match c {
            '…' if !unicode => vec!['.', '.'],
            _ if unicode && cell_width(c) > 0 || c.is_ascii() => vec![c],
            _ => vec!['?'],
        })
        .collect()
}

/// The cells that a character takes in a terminal, 0 when terminals disagree.
fn cell_width(c: char) -> usize {
    match c {
        ' '..='~' | '¡'..='\u{ac}' | '®'..='ɏ' | 'Α'..='Ω' | 'α'..='ω' | 'Ѐ'..='ҁ' | 'Ҋ'..='ԯ' => {
            1
        }
        '–' | '—' | '‘' | '’' | '“' | '”' | '•' | '…' | '−' | '←'..='↓' | '■'..='◿' | '╱' => {
            1
        }
        '░' | '▒' => 1,
        'ぁ'..='ゖ' | 'ァ'..='ヺ' | '㐀'..='䶿' | '一'..='鿿' | '가'..='힣' => 2,
        '！'..='｠' => 2,
        _ => 0,
    }
}

/// The cells that a text takes in a terminal; it must come from [`terminal_text`].
pub(super) fn cells(text: &str) -> usize {
    text.chars().map(cell_width).sum()
}

/// The longest beginning of a text that takes at most `width` cells.
pub(super) fn cut_to_cells(text: &str, width: usize) -> String {
    let mut cut = String::new();
    for c in text.chars() {
        if cells(&cut) + cell_width(c) > width {
            break;
        }
        cut.push(c);
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_characters_are_dropped() {
        assert_eq!(clean(" a\u{1b}[31m\tb\u{202e}\0c\u{feff} ", 20), "a[31m bc");
        assert_eq!(clean("abcdefgh", 4), "abc…");
        assert_eq!(clean("abcd", 4), "abcd");
        assert_eq!(clean("\u{7}", 4), "");
        assert_eq!(escape("<script a='\"'>&"), "&lt;script a=&#39;&quot;&#39;&gt;&amp;");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrap("aaaa bbbb cc", 10, 60), ["aaaa bbbb", "cc"]);
        assert_eq!(wrap("aaaabbbbcc d", 10, 10), ["aaaabbbbcc", "d"]);
    }

    #[test]
    fn texts_for_terminals_have_a_known_width() {
        assert_eq!(terminal_text("α가\u{301}e", 9, true), "α가?e");
        assert_eq!(cells("α가?e"), 5);
        assert_eq!(terminal_text("α가e", 9, false), "??e");
        assert_eq!(cut_to_cells("가나", 3), "가");
    }
}
