//! A program that the match starts: lines in, lines out, and its end.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::player::Fault;

/// The longest line that is read; no move is longer.
const LINE_BYTES_MAX: u64 = 1 << 16;
/// The number of unread lines after which a program that writes more has to wait.
const LINES_MAX: usize = 256;
/// The time between two looks at the stop flag while waiting.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// The longest time for a program to end by itself.
const END_WITHIN: Duration = Duration::from_millis(200);

/// A running program. Ended, if it still runs, when it is dropped.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    pub(super) fn start(words: &[String]) -> io::Result<Process> {
        let (program, arguments) =
            words.split_first().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C stops the match: a program that it ended would lose its game.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let (sender, lines) = mpsc::sync_channel(LINES_MAX);
        if let Some(output) = child.stdout.take() {
            // Ends with the output of the program, or with the reader of the lines.
            thread::spawn(move || read_lines(output, &sender));
        }
        Ok(Process { child, input, lines })
    }

    /// Sends a text, which ends with the end of a line.
    pub(super) fn send(&mut self, text: &str) -> Result<(), Fault> {
        let gone = || Fault::Crash("the program has ended".to_string());
        let input = self.input.as_mut().ok_or_else(gone)?;
        input.write_all(text.as_bytes()).and_then(|()| input.flush()).map_err(|_| gone())
    }

    /// Closes the input of the program.
    pub(super) fn close(&mut self) {
        self.input = None;
    }

    /// Drops the lines that arrived before the first command.
    pub(super) fn forget(&mut self) {
        while self.lines.try_recv().is_ok() {}
    }

    /// The next line, without blanks around it.
    pub(super) fn line(&mut self, deadline: Instant, stop: &AtomicBool) -> Result<String, Fault> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Fault::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK_EVERY)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Fault::Late),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let how = self.child.wait().map_or(String::new(), |how| format!(" ({how})"));
                    return Err(Fault::Crash(format!("the program has ended{how}")));
                }
            }
        }
    }

    /// Asks the program to end, and waits a little for it.
    pub(super) fn end(mut self, goodbye: &str) {
        // A program that does not end by itself is killed.
        let _sent = self.send(goodbye);
        self.close();
        let by = Instant::now() + END_WITHIN;
        while Instant::now() < by && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _killed = self.child.kill();
        let _ended = self.child.wait();
    }
}

fn read_lines(output: ChildStdout, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut bytes = Vec::new();
        match (&mut output).take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if lines.send(String::from_utf8_lossy(&bytes).trim().to_string()).is_err() {
            return;
        }
    }
}
