//! Malformed arguments and inputs: never a panic, always an answer.

use std::io::Read as _;

use sixproof_oracle::effort;

use crate::shell::{Answer, execute};
use crate::{programs, transcript};

/// Texts that are given as a position, a file, a value of an option.
const TEXTS: [&str; 58] = [
    "",
    " ",
    "-",
    "--",
    "---",
    "-1",
    "@",
    "@@",
    "@1",
    "a@b@c",
    ".",
    "..",
    "/",
    "//",
    "\n",
    "\t\r\n",
    "\u{0}",
    "\u{feff}",
    "\u{202e}abc",
    "🎲",
    "ÄÖÜ",
    "=",
    "=a",
    "J10=",
    ":",
    "J10:",
    ":J10",
    "J10:J10",
    "S19:A1",
    "0,0",
    "-99999999999,0",
    "2147483647,-2147483648:2147483647,2147483647",
    "0,0 / 2147483647,2147483647 -2147483648,-2147483648",
    "0,0 / 1000000,1000000 -1000000,-1000000",
    "J10 / / /",
    "/ J10",
    "J10J10",
    "J10 / J11 J12 / J13",
    "A0",
    "A-1",
    "AAAAAAAAAAAAAAAAAAAA1",
    "A99999999999999999999",
    "1.",
    "1.j10 2.",
    "999999999999999999999.j10",
    "0,0,0,0,0",
    "1,1,1,1,1",
    "1,59,1,9,1",
    "59,59,59,9,19",
    "59,59,60,9,19",
    "18446744073709551616,1,1,1,1",
    "inf,0,0,0",
    "inf,1,1,1",
    "inf,6,2,1,exact",
    "(;",
    "(;SZ[0])",
    "(;B[aa]W[aa]AB[aa]AW[aa]AE[aa]PL[X])",
    "X O",
];

/// Runs the program, with what is expected of every run.
fn run(arguments: &[&str], stdin: &[u8], folder: &std::path::Path) -> Answer {
    let program = programs::ours("sixproof").expect("built by cargo");
    let words: Vec<Vec<u8>> = arguments.iter().map(|word| word.as_bytes().to_vec()).collect();
    let answer = execute(&program, &words, stdin, folder, false)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    let stderr = String::from_utf8_lossy(&answer.stderr);
    assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
    assert!(matches!(answer.code, Some(0..=2)), "{arguments:?}: {:?} {stderr}", answer.code);
    let stdout = String::from_utf8_lossy(&answer.stdout);
    let is_undecided =
        stdout.contains("not proved: ") || stdout.contains("\"verdict\":\"unknown\"");
    if answer.code == Some(2) && !is_undecided {
        assert!(!stderr.trim().is_empty(), "{arguments:?}: no word of what is wrong");
        let json = arguments.contains(&"--json");
        let first = stderr.lines().next().unwrap_or_default();
        assert!(json == first.starts_with('{'), "{arguments:?}: {stderr}");
    }
    answer
}

/// Every text in every place; in the usual run every fifth of these pairs, each text and each place
/// among them.
#[test]
fn no_arguments_make_the_program_panic() {
    let folder = transcript::folder("nasty-arguments");
    let step = effort(5, 1);
    for (index, text) in TEXTS.into_iter().enumerate() {
        // No argument of a program can hold a zero byte.
        if text.contains('\0') {
            continue;
        }
        for words in calls_with(text).iter().skip(index % step).step_by(step) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            run(&words, b"", &folder);
        }
    }
}

/// Calls that have a text in every place where one can be given.
fn calls_with(text: &str) -> Vec<Vec<String>> {
    let mut calls: Vec<Vec<String>> = Vec::new();
    let mut call = |words: &[&str]| calls.push(words.iter().map(ToString::to_string).collect());
    for command in ["show", "check", "convert", "list", "completions", "man"] {
        call(&[command, text]);
        call(&[command, "--json", text]);
    }
    call(&[text]);
    call(&["prove", text, "--nodes", "20", "--order", "2"]);
    call(&["prove", text, "--nodes", "20", "--attacker", "white", "--json"]);
    call(&["prove", text, "--nodes", "20", "--game", "inf,6,2,1"]);
    call(&["verify", "tx-h9", "--nodes", "20", &format!("--move={text}")]);
    for option in ["cert", "order", "nodes", "time", "zones", "hints", "store"] {
        call(&["prove", "tx-h9", "--nodes=20", &format!("--{option}={text}")]);
    }
    for command in ["stats", "verify", "import", "merge"] {
        call(&["store", command, text, "--store", "sgf"]);
        call(&["store", command, &format!("--store={text}"), "--json"]);
    }
    call(&["store", "export", text, "--to", "out", "--store", "none.redb"]);
    call(&["show", text, "--game", "inf,6,2,1", "--threats", "both"]);
    call(&["show", text, "--game", "gomoku", "--numbers", "--ascii"]);
    call(&["convert", text, "--game", "inf,6,2,1", "--to", "diagram"]);
    for option in ["game", "out", "zone", "label", "mark", "window", "caption", "theme"] {
        call(&["show", "tx-h9", &format!("--{option}={text}")]);
    }
    for option in ["width", "frame-ms", "color"] {
        call(&["show", "tx-h9", &format!("--{option}={text}")]);
    }
    call(&["show", "0,0", "--game=inf,6,2,1", &format!("--window={text}")]);
    call(&["show", "0,0", "--game=inf,6,2,1", &format!("--label={text}=a")]);
    calls
}

#[test]
fn no_input_makes_the_program_panic() {
    let folder = transcript::folder("nasty-input");
    for text in TEXTS {
        for command in ["show", "check", "convert"] {
            run(&[command, "-"], text.as_bytes(), &folder);
        }
    }
    let repeated =
        ["(", "(;", ";", "[", "X", ". ", "J10 / ", "\n", "0", "1.", "\\", "@ ", "A B2 D 1 R "];
    for text in repeated.map(|text| text.repeat(100_000)) {
        for command in ["show", "check", "convert"] {
            run(&[command, "-"], text.as_bytes(), &folder);
            let certificate = format!("sixproof-certificate 1\n{text}");
            run(&[command, "-"], certificate.as_bytes(), &folder);
        }
    }
}

/// Every sample, cut at many places, and with bytes changed.
#[test]
fn no_damaged_sample_makes_the_program_panic() {
    let folder = transcript::folder("nasty-samples");
    let mut samples: Vec<Vec<u8>> = Vec::new();
    for part in ["sgf", "formats"] {
        for entry in std::fs::read_dir(folder.join(part)).unwrap() {
            samples.push(std::fs::read(entry.unwrap().path()).unwrap());
        }
    }
    assert!(samples.len() > 10);
    for sample in samples {
        for cut in 1..8 {
            run(&["show", "-"], &sample[..sample.len() * cut / 8], &folder);
            let mut damaged = sample.clone();
            damaged[sample.len() * cut / 8] ^= 0x55;
            run(&["show", "-", "--json"], &damaged, &folder);
        }
    }
}

/// A few bytes that become 300 MB of white space, where a game or the rest of a proof would be.
#[test]
fn no_command_unpacks_far_more_than_a_file_can_mean() {
    let folder = transcript::folder("nasty-packed");
    for (name, start) in [("game", &b""[..]), ("proof", b"sixproof-certificate 1\n")] {
        let spaces = std::io::repeat(b' ').take(300_000_000);
        let packed = zstd::encode_all(start.chain(spaces), 1).unwrap();
        let file = format!("{name}.zst");
        std::fs::write(folder.join(&file), &packed).unwrap();
        for command in [
            &["show"][..],
            &["check"],
            &["convert", "--to", "sgf"],
            &["prove", "--nodes", "20"],
            &["store", "import", "--store", "nasty.redb"],
        ] {
            for input in [&*file, "-"] {
                let answer = run(&[command, &[input]].concat(), &packed, &folder);
                let stderr = String::from_utf8_lossy(&answer.stderr);
                assert_eq!(answer.code, Some(2), "{command:?} {input}");
                assert!(stderr.contains("250 times its size"), "{command:?} {input}: {stderr}");
            }
        }
    }
}
