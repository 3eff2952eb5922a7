//! Comments, messages and documents avoid phrases that hide the subject of a sentence or its
//! quantity.
//!
//! The rule covers the rooms of [`CLEAN`], which grows as the others are rewritten. In Rust it
//! reads comments, and the literals of code that is not a test, and so it does in the TypeScript
//! and JavaScript of the page; in Markdown the text outside code. A phrase may go on in the next
//! line.

use super::Problem;
use super::documents::prose_lines;
use super::repository::{File, Repository};
use super::rust::{Layers, without_test_items};
use super::typescript::Texts;

/// Files and folders (which end in `/`) that are free of the phrases, save for this file.
const CLEAN: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "crates/certificate/",
    "crates/check/",
    "crates/cli/",
    "crates/document/",
    "crates/experiments/",
    "crates/farm-nats/",
    "crates/farm/",
    "crates/game/",
    "crates/oracle/",
    "crates/picture/",
    "crates/player/",
    "crates/prover/",
    "crates/server/",
    "crates/solve/",
    "crates/store/",
    "docs/",
    "formal/",
    "fuzz/",
    "web/",
    "xtask/",
];

/// The tests of the page, whose literals are not read.
const WEB_TESTS: &[&str] = &["web/journeys/", "web/test/"];

/// The phrases, and what to write instead.
const PHRASES: &[(&str, &str)] = &[
    ("so many", NAME_THE_QUANTITY),
    ("so long", NAME_THE_QUANTITY),
    ("so often", NAME_THE_QUANTITY),
    ("is none", "say what it is instead, such as `is invalid`"),
    ("is told", NAME_THE_SENDER),
    ("are told", NAME_THE_SENDER),
    ("was told", NAME_THE_SENDER),
    ("were told", NAME_THE_SENDER),
    ("whoever", NAME_THE_SUBJECT),
    ("nobody", NAME_THE_SUBJECT),
    ("somebody", NAME_THE_SUBJECT),
];

const NAME_THE_QUANTITY: &str = "name the quantity";
const NAME_THE_SENDER: &str = "say what reports, sends or logs it";
const NAME_THE_SUBJECT: &str = "name a thing of the program, such as the worker or the reader";

/// Tidy refuses the [`PHRASES`] in the [`CLEAN`] rooms.
pub(crate) fn phrases(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (file, text) in repository.texts().filter(|(file, _)| is_clean(&file.path)) {
        for text in prose(file, text) {
            let words = words(&text);
            for (phrase, advice) in PHRASES {
                for line in lines_with(&words, phrase) {
                    let message = format!("`{phrase}`: {advice}");
                    problems.push(Problem::new(&file.path, line, message));
                }
            }
        }
    }
    problems
}

fn is_clean(path: &str) -> bool {
    let is_in = |clean: &&str| path == *clean || clean.ends_with('/') && path.starts_with(*clean);
    CLEAN.iter().any(is_in) && path != "xtask/src/tidy/phrases.rs"
}

/// The texts of a file that people read, each with the lines of the file.
fn prose(file: &File, text: &str) -> Vec<String> {
    match file.extension() {
        "rs" => {
            let layers = Layers::of(text);
            let messages = if file.is_test() { String::new() } else { messages(&layers) };
            vec![layers.comments(), messages]
        }
        "ts" | "tsx" | "mjs" => {
            let Texts { comments, literals } = Texts::of(text);
            let is_test = WEB_TESTS.iter().any(|folder| file.path.starts_with(folder));
            vec![comments, if is_test { String::new() } else { literals }]
        }
        "md" => {
            let mut lines = vec![String::new(); text.lines().count()];
            for (line, prose) in prose_lines(text) {
                // A code span is one word of the sentence.
                lines[line - 1] = prose.split('`').step_by(2).collect::<Vec<_>>().join(" ` ");
            }
            vec![lines.join("\n")]
        }
        _ => Vec::new(),
    }
}

/// The literals outside of test items, in their places.
fn messages(layers: &Layers) -> String {
    let literals = layers.literals();
    let kept = without_test_items(&layers.statements());
    // All layers have the same characters, blanked or not.
    let pairs = kept.chars().zip(literals.chars());
    pairs.map(|(kept, literal)| if kept == ' ' { ' ' } else { literal }).collect()
}

/// The words of a text in lower case, with their lines. Marks of comments and of wrapped literals
/// are no words; punctuation in front of a word is not part of it.
fn words(text: &str) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for word in line.split_whitespace() {
            let word = word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`');
            if !word.is_empty() {
                words.push((index + 1, word.to_lowercase()));
            }
        }
    }
    words
}

/// The lines on which a phrase begins. Punctuation may follow its last word only.
fn lines_with(words: &[(usize, String)], phrase: &str) -> Vec<usize> {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    let is_phrase = |window: &&[(usize, String)]| {
        let (last, first) = phrase.split_last().expect("a phrase has a word");
        let end = window[first.len()].1.trim_end_matches(|c: char| !c.is_alphanumeric());
        window.iter().zip(first).all(|((_, word), wanted)| word == wanted) && end == *last
    };
    words.windows(phrase.len()).filter(is_phrase).map(|window| window[0].0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines on which the check complains about a file.
    fn lines(path: &str, text: &str) -> Vec<usize> {
        phrases(&Repository::of(&[(path, text)])).iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn phrases_are_found_over_line_ends_and_before_punctuation() {
        let text =
            "/// Nobody, or so\n/// many. So. Many somebodies\nfn nobody() {} // (Whoever)\n";
        assert_eq!(lines("crates/farm/src/a.rs", text), [1, 3, 1]);
    }

    #[test]
    fn messages_count_and_literals_of_tests_do_not() {
        let message = "fn a() { b(\"it is \\\n    told\") }\n";
        assert_eq!(lines("crates/farm/src/a.rs", message), [1]);
        assert_eq!(lines("crates/farm/tests/a.rs", message), [0; 0]);
        let tests = format!("#[cfg(test)]\nmod tests {{\n{message}}}\n");
        assert_eq!(lines("crates/farm/src/a.rs", &tests), [0; 0]);
        assert_eq!(lines("crates/farm/tests/a.rs", "// So long.\n"), [1]);
    }

    #[test]
    fn comments_and_texts_of_the_page_count_and_its_tests_are_free() {
        let text = "// Nobody,\nconst nobody = \"so many\"; /* so\n * long */\n`is ${a} none`\n";
        for path in ["web/src/a.ts", "web/src/a.tsx", "web/scripts/a.mjs"] {
            assert_eq!(lines(path, text), [2, 1, 2], "{path}");
        }
        assert_eq!(lines("web/test/a.test.ts", text), [2, 1], "comments only");
        assert_eq!(lines("web/dist/a.js", text), [0; 0]);
    }

    #[test]
    fn code_in_documents_and_other_rooms_are_free() {
        let text = "`nobody` so `a` many\n```\nnobody\n```\nnobody\n";
        assert_eq!(lines("docs/protocol.md", text), [5]);
        assert_eq!(lines("docs/protocol.mdx", text), [0; 0]);
        assert_eq!(lines("patches/other.md", text), [0; 0]);
    }
}
