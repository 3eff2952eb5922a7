//! The little of a shell that the pages need: quotes, pipes, `< file` and `> file`. The programs
//! are ours and a handful that [`crate::programs`] stands in for: nothing depends on the machine.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::programs;

/// No command of the pages takes longer, even on a busy machine.
const SECONDS_MAX: u64 = 120;

/// What a command line answered.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    /// The first exit code of the pipe that is not 0; `None` when a signal ended the program.
    pub(crate) code: Option<i32>,
}

#[derive(Debug, PartialEq)]
enum Token {
    Word(Vec<u8>),
    Pipe,
    From,
    To,
}

/// The words of a command line, without pipes and files to read or write.
pub(crate) fn words(line: &str) -> Result<Vec<String>, String> {
    let words = tokens(line)?.into_iter().filter_map(|token| match token {
        Token::Word(word) => Some(String::from_utf8_lossy(&word).into_owned()),
        _ => None,
    });
    Ok(words.collect())
}

/// Runs a command line in a folder.
pub(crate) fn run(line: &str, folder: &Path) -> Result<Answer, String> {
    run_with(line, b"", folder)
}

/// Runs a command line that reads this input.
pub(crate) fn run_with(line: &str, stdin: &[u8], folder: &Path) -> Result<Answer, String> {
    let tokens = tokens(line)?;
    let mut answer = Answer { code: Some(0), stdout: stdin.to_vec(), ..Answer::default() };
    let mut commands = tokens.split(|token| *token == Token::Pipe).peekable();
    while let Some(command) = commands.next() {
        let (words, input, output) = parts(command)?;
        if let Some(path) = input {
            let path = folder.join(String::from_utf8_lossy(&path).as_ref());
            answer.stdout = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        let (name, arguments) = words.split_first().ok_or("no command")?;
        let name = String::from_utf8_lossy(name);
        let closed = commands.peek() == Some(&&[Token::Word(b"closed".to_vec())][..]);
        let stdin = std::mem::take(&mut answer.stdout);
        if let Some(program) = programs::ours(&name) {
            let out = execute(&program, arguments, &stdin, folder, closed)?;
            answer.stdout = out.stdout;
            answer.stderr.extend(out.stderr);
            if answer.code == Some(0) {
                answer.code = out.code;
            }
        } else {
            answer.stdout = programs::stand_in(&name, arguments, &stdin, folder)?;
        }
        if let Some(path) = output {
            let path = folder.join(String::from_utf8_lossy(&path).as_ref());
            let bytes = std::mem::take(&mut answer.stdout);
            fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    Ok(answer)
}

/// Runs a program; with `closed`, the reader of its output has gone away.
pub(crate) fn execute(
    program: &Path,
    arguments: &[Vec<u8>],
    stdin: &[u8],
    folder: &Path,
    closed: bool,
) -> Result<Answer, String> {
    let mut command = programs::call(program, folder);
    command.args(arguments.iter().map(|word| std::ffi::OsString::from_vec(word.clone())));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if closed {
        let (reader, writer) = io::pipe().map_err(|e| e.to_string())?;
        drop(reader);
        command.stdout(writer);
    }
    let mut child = command.spawn().map_err(|e| format!("{}: {e}", program.display()))?;
    // Standard output of a closed pipe would stay open in `command`.
    drop(command);
    let (mut to_child, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(pipe) = &mut to_child {
                // A program need not read what it is given.
                let _written = pipe.write_all(stdin);
            }
        });
        let out = scope.spawn(move || out.map_or(Ok(Vec::new()), read_all));
        let err = scope.spawn(move || err.map_or(Ok(Vec::new()), read_all));
        let status = wait(&mut child)?;
        let failed = |e: io::Error| e.to_string();
        Ok(Answer {
            stdout: out.join().expect("reads").map_err(failed)?,
            stderr: err.join().expect("reads").map_err(failed)?,
            code: status.code(),
        })
    })
}

fn read_all(mut pipe: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn wait(child: &mut std::process::Child) -> Result<ExitStatus, String> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok(status);
        }
        if start.elapsed().as_secs() >= SECONDS_MAX {
            child.kill().map_err(|e| e.to_string())?;
            child.wait().map_err(|e| e.to_string())?;
            return Err(format!("no answer after {SECONDS_MAX} s"));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The words of a command, the file it reads and the file it writes.
type Parts = (Vec<Vec<u8>>, Option<Vec<u8>>, Option<Vec<u8>>);

fn parts(tokens: &[Token]) -> Result<Parts, String> {
    let (mut words, mut input, mut output) = (Vec::new(), None, None);
    let mut tokens = tokens.iter();
    while let Some(token) = tokens.next() {
        let target = match token {
            Token::Word(word) => {
                words.push(word.clone());
                continue;
            }
            Token::From => &mut input,
            Token::To => &mut output,
            Token::Pipe => unreachable!("split at the pipes"),
        };
        let Some(Token::Word(path)) = tokens.next() else { return Err("no file".to_string()) };
        *target = Some(path.clone());
    }
    Ok((words, input, output))
}

/// Splits a line as a shell does: `'…'` is literal, `"…"` and bare words know `\`, `$'…'` knows
/// `\n`, `\t` and `\x00`.
fn tokens(line: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut chars = line.chars().peekable();
    let push = |word: &mut Option<Vec<u8>>, c: char| {
        let mut buffer = [0; 4];
        word.get_or_insert_default().extend(c.encode_utf8(&mut buffer).as_bytes());
    };
    while let Some(c) = chars.next() {
        match c {
            ' ' | '|' | '<' | '>' => {
                tokens.extend(word.take().map(Token::Word));
                match c {
                    '|' => tokens.push(Token::Pipe),
                    '<' => tokens.push(Token::From),
                    '>' => tokens.push(Token::To),
                    _ => {}
                }
            }
            '\'' => {
                word.get_or_insert_default();
                loop {
                    match chars.next().ok_or("an open '")? {
                        '\'' => break,
                        c => push(&mut word, c),
                    }
                }
            }
            '"' => {
                word.get_or_insert_default();
                loop {
                    match chars.next().ok_or("an open \"")? {
                        '"' => break,
                        '\\' => push(&mut word, chars.next().ok_or("an open \"")?),
                        c => push(&mut word, c),
                    }
                }
            }
            '$' if chars.peek() == Some(&'\'') => {
                chars.next();
                word.get_or_insert_default();
                loop {
                    match chars.next().ok_or("an open $'")? {
                        '\'' => break,
                        '\\' => match chars.next().ok_or("an open $'")? {
                            'n' => push(&mut word, '\n'),
                            't' => push(&mut word, '\t'),
                            'x' => {
                                let digits: String = chars.by_ref().take(2).collect();
                                let byte = u8::from_str_radix(&digits, 16);
                                word.get_or_insert_default().push(byte.map_err(|e| e.to_string())?);
                            }
                            c => push(&mut word, c),
                        },
                        c => push(&mut word, c),
                    }
                }
            }
            '\\' => push(&mut word, chars.next().ok_or("a \\ at the end")?),
            c => push(&mut word, c),
        }
    }
    tokens.extend(word.map(Token::Word));
    Ok(tokens)
}

#[test]
fn words_are_split_as_a_shell_does() {
    let word = |text: &str| Token::Word(text.as_bytes().to_vec());
    let line = r#"show "a \"b\"" '' $'x\ny\xff' c\ d|cat <in >out"#;
    let mut split = tokens(line).unwrap();
    assert_eq!(split.remove(3), Token::Word(b"x\ny\xff".to_vec()));
    let rest = [word("show"), word("a \"b\""), word(""), word("c d"), Token::Pipe, word("cat")];
    assert_eq!(split[..6], rest);
    assert_eq!(split[6..], [Token::From, word("in"), Token::To, word("out")]);
    assert!(tokens("'open").is_err());
}
