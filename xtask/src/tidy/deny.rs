//! The licences and packages of others that we accept, against the lists in `deny.toml`.
//!
//! A package's licence is an SPDX expression such as `(MIT OR Apache-2.0) AND Unicode-3.0`. It is
//! covered when the allowed licences satisfy it. The list must be exact: a licence that could be
//! struck from it without leaving a package uncovered is reported too.

use super::Problem;
use super::repository::Repository;

const DENY: &str = "deny.toml";

/// The deepest nesting of brackets in an expression that we read.
const DEPTH_MAX: usize = 8;

/// The licences of the graph are within the allowed set, and the allowed set has nothing to spare.
pub(crate) fn licenses(repository: &Repository) -> Vec<Problem> {
    let allowed = strings(repository.text(DENY), "licenses", "allow");
    let names: Vec<&str> = allowed.iter().map(|(_, name)| *name).collect();
    let mut problems = Vec::new();
    let mut covered = Vec::new();
    for package in repository.graph.theirs() {
        match satisfied(&package.license, &names) {
            Some(true) => covered.push(package.license.as_str()),
            Some(false) => {
                let message = format!(
                    "`{}` has the licence `{}`: not allowed",
                    package.name, package.license
                );
                problems.push(Problem::new(DENY, 1, message));
            }
            None => {
                let message = format!("`{}`: cannot read `{}`", package.name, package.license);
                problems.push(Problem::new(DENY, 1, message));
            }
        }
    }
    for (line, name) in &allowed {
        let others: Vec<&str> = names.iter().copied().filter(|other| other != name).collect();
        if covered.iter().all(|license| satisfied(license, &others) == Some(true)) {
            problems.push(Problem::new(DENY, *line, format!("no package needs `{name}`")));
        }
    }
    problems
}

/// No package of the graph is banned.
pub(crate) fn bans(repository: &Repository) -> Vec<Problem> {
    let banned = strings(repository.text(DENY), "bans", "deny");
    let is_used = |name: &str| repository.graph.theirs().any(|package| package.name == name);
    let used = banned.into_iter().filter(|(_, name)| is_used(name));
    used.map(|(line, name)| Problem::new(DENY, line, format!("`{name}` is in use"))).collect()
}

/// The strings of an array of strings in a section of a TOML file, with their lines.
fn strings<'a>(toml: &'a str, section: &str, key: &str) -> Vec<(usize, &'a str)> {
    let header = format!("[{section}]");
    let lines = toml.lines().enumerate().skip_while(|(_, line)| line.trim() != header).skip(1);
    let lines = lines.take_while(|(_, line)| !line.starts_with('['));
    let is_key = |line: &str| line.split('=').next().is_some_and(|name| name.trim() == key);
    let mut names = Vec::new();
    for (index, line) in lines.skip_while(|(_, line)| !is_key(line)) {
        let line = line.split('#').next().unwrap_or("");
        names.extend(line.split('"').skip(1).step_by(2).map(|name| (index + 1, name)));
        if line.contains(']') {
            break;
        }
    }
    names
}

/// Whether the allowed licences satisfy an SPDX expression; `None` when the text is not one.
fn satisfied(expression: &str, allowed: &[&str]) -> Option<bool> {
    // Older manifests write `MIT/Apache-2.0` for `MIT OR Apache-2.0`.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser { words: &words, allowed };
    let value = parser.any(DEPTH_MAX)?;
    parser.words.is_empty().then_some(value)
}

struct Parser<'a> {
    words: &'a [&'a str],
    allowed: &'a [&'a str],
}

impl Parser<'_> {
    fn next_is(&mut self, word: &str) -> bool {
        let found = self.words.first() == Some(&word);
        if found {
            self.words = &self.words[1..];
        }
        found
    }

    /// `all { OR all }`
    fn any(&mut self, depth: usize) -> Option<bool> {
        let mut value = self.all(depth)?;
        while self.next_is("OR") {
            value |= self.all(depth)?;
        }
        Some(value)
    }

    /// `one { AND one }`
    fn all(&mut self, depth: usize) -> Option<bool> {
        let mut value = self.one(depth)?;
        while self.next_is("AND") {
            value &= self.one(depth)?;
        }
        Some(value)
    }

    /// `( any )`, or a licence, perhaps `WITH` an exception that then belongs to its name.
    fn one(&mut self, depth: usize) -> Option<bool> {
        if self.next_is("(") {
            let value = self.any(depth.checked_sub(1)?)?;
            return self.next_is(")").then_some(value);
        }
        let (&name, rest) = self.words.split_first()?;
        if matches!(name, "OR" | "AND" | "WITH" | ")") {
            return None;
        }
        self.words = rest;
        if self.next_is("WITH") {
            let (exception, rest) = self.words.split_first()?;
            self.words = rest;
            return Some(self.allowed.contains(&format!("{name} WITH {exception}").as_str()));
        }
        Some(self.allowed.contains(&name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_satisfied_by_the_allowed_licences() {
        let allowed = ["MIT", "Zlib"];
        for (expression, expected) in [
            ("MIT", Some(true)),
            ("GPL-3.0", Some(false)),
            ("GPL-3.0 OR MIT", Some(true)),
            ("GPL-3.0/MIT", Some(true)),
            ("MIT AND GPL-3.0", Some(false)),
            ("GPL-3.0 OR MIT AND Zlib", Some(true)),
            ("(GPL-3.0 OR MIT) AND Zlib", Some(true)),
            ("(MIT OR Zlib) AND GPL-3.0", Some(false)),
            ("MIT WITH some-exception", Some(false)),
            ("", None),
            ("MIT OR", None),
            ("(MIT", None),
            ("MIT Zlib", None),
            ("((((((((((MIT))))))))))", None),
        ] {
            assert_eq!(satisfied(expression, &allowed), expected, "{expression}");
        }
    }

    #[test]
    fn a_list_is_the_array_of_its_key_in_its_section() {
        let toml = "[bans]\nallow = [\"a\"]\n[licenses]\nallowed = [\"b\"]\nallow = [\n  \"C\", # \"c\"\n  \
                    \"D\",\n]\ny = [\"e\"]\n";
        assert_eq!(strings(toml, "licenses", "allow"), [(6, "C"), (7, "D")]);
        assert_eq!(strings(toml, "bans", "allow"), [(2, "a")]);
        assert_eq!(strings(toml, "sources", "allow"), []);
    }
}
