//! The committed lists of tidy: one entry per line, a reason for each.
//!
//! ```text
//! # A comment.
//! entry: why it is here
//! ```

use super::Problem;

/// A line of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) line: usize,
    pub(crate) name: &'a str,
}

/// The entries of a list, and its malformed lines. An entry ends at the first `: `.
pub(crate) fn parse<'a>(path: &str, text: &'a str) -> (Vec<Entry<'a>>, Vec<Problem>) {
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.split_once(": ").filter(|(_, reason)| !reason.trim().is_empty()) {
            Some((name, _)) => entries.push(Entry { line: index + 1, name }),
            None => problems.push(Problem::new(path, index + 1, "not of the form `entry: reason`")),
        }
    }
    (entries, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_needs_a_reason() {
        let (entries, problems) = parse("l", "# c\n\na: why\nb\nc::d: why: so\n");
        let names: Vec<_> = entries.iter().map(|entry| (entry.line, entry.name)).collect();
        assert_eq!(names, [(3, "a"), (5, "c::d")]);
        assert_eq!(problems, [Problem::new("l", 4, "not of the form `entry: reason`")]);
    }
}
