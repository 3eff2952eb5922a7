//! A win that a search claims: believed when the checker has verified its certificate, kept in a
//! file, and then told.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sixproof_check::Verified;
use sixproof_game::picture::Picture;
use sixproof_game::{Color, Position, Square};
use sixproof_solve::checked;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::{GOOD, HINT, Output};
use sixproof_solve::store::Memory;
use sixproof_solve::verdict::{checked, line_text, nodes_text};

use super::question::{Question, picture_kind};
use super::show;

/// What a search says that it has proved.
pub(super) struct Proof {
    pub(super) certificate: Vec<u8>,
    /// A line of play, from the side to move on.
    pub(super) line: Vec<Vec<Square>>,
    /// The order of the strategy, if it is known.
    pub(super) order: Option<u32>,
    /// Nodes and time of the search.
    pub(super) nodes: u64,
    pub(super) seconds: f64,
    /// Whether it was found by an earlier search, and kept.
    pub(super) from_store: bool,
}

impl Proof {
    /// Has the certificate checked, keeps and writes it, and only then says that the win is proved.
    pub(super) fn tell(
        &self,
        question: &Question<'_>,
        memory: &Memory,
        output: Output,
    ) -> Result<()> {
        let (position, attacker) = (question.position, question.attacker);
        let path = question.certificate_path();
        let verified = believed(&self.certificate, position, attacker, &path)?;
        memory.keep((position, attacker), &self.certificate, self.order, self.nodes);
        self.say(question, &verified, &path, output)
    }

    /// Writes a certificate that the checker has verified, and says that the win is proved.
    pub(super) fn say(
        &self,
        question: &Question<'_>,
        verified: &Verified,
        path: &Path,
        output: Output,
    ) -> Result<()> {
        let bytes = files::write_certificate(path, &self.certificate).map_err(|failure| {
            failure.help("the win is proved, but its certificate could not be kept")
        })?;
        let picture = self.picture(question, verified)?;
        let out = question.search.out.as_deref();
        if let Some(out) = out {
            let file = match picture_kind(out)?.as_str() {
                "png" => show::png(&picture, question.picture.width)?,
                _ => picture.svg().into_bytes(),
            };
            files::write(out, &file)?;
        }
        if output.json {
            output.say_json(&self.json(question, verified, path, bytes));
            return Ok(());
        }
        let depth = match verified.counts.depth {
            0 if question.position.to_move() == question.attacker => "at once".to_string(),
            0 => "no reply blocks the threats".to_string(),
            1 => "1 move deep".to_string(),
            depth => format!("{depth} moves deep"),
        };
        let subject = question.subject();
        let order = self.order.map(|order| format!("order {order}, ")).unwrap_or_default();
        let from = if self.from_store { ", from the store" } else { "" };
        let sentence = format!("{GOOD}{subject} wins by force{GOOD:#}: {order}{depth}{from}");
        if question.search.quiet {
            output.say(format!("{}: {sentence}", path.display()));
            return Ok(());
        }
        output.say(sentence);
        let game = question.position.game();
        if let Some(line) = line_text(game, &self.line, question.position) {
            output.say(format!("line        {line}"));
        }
        if out.is_none() {
            show::say_picture(&picture, question.picture.ascii, output);
        }
        let checked = nodes_text(verified.counts.nodes);
        output.say(format!("certificate {}, {checked}, verified", path.display()));
        let earlier = if self.from_store { ", when it was found" } else { "" };
        if !self.from_store || self.nodes > 0 {
            output.say(format!("search      {}{earlier}", nodes_text(self.nodes)));
        }
        output.say(format!("time        {:.3} s", self.seconds));
        output.say(format!("check it    {HINT}sixproof check {}{HINT:#}", quoted(path)));
        if let Some(out) = out {
            output.written(out, 0);
        }
        Ok(())
    }

    /// The board with the zone, and the first move of the win if it is Attacker's turn.
    fn picture(&self, question: &Question<'_>, verified: &Verified) -> Result<Picture> {
        let Question { position, played, attacker, .. } = *question;
        let zone = checked::layers(&verified.zone);
        let mut picture = show::dressed(question.picture, position, played, Some(zone))?;
        if position.to_move() == attacker {
            for &square in self.line.first().into_iter().flatten() {
                picture = picture.ghost(square, attacker, None);
            }
        }
        if question.picture.caption.is_none() && question.search.out.is_some() {
            let nodes = nodes_text(verified.counts.nodes);
            picture = picture.caption(format!("{} wins, {nodes} verified", attacker.title()));
        }
        Ok(picture)
    }

    fn json(
        &self,
        question: &Question<'_>,
        verified: &Verified,
        path: &Path,
        bytes: usize,
    ) -> Value {
        let game = question.position.game();
        let sides = [question.position.to_move(), !question.position.to_move()];
        let line: Vec<Value> = self
            .line
            .iter()
            .zip(sides.iter().cycle())
            .map(|(squares, side)| {
                let names: Vec<String> = squares.iter().map(|&s| game.square_name(s)).collect();
                json!({ "side": side.to_string(), "squares": names })
            })
            .collect();
        let mut value = question.json("proved");
        value["checked"] = true.into();
        value["order"] = self.order.into();
        value["nodes"] = self.nodes.into();
        value["from_store"] = self.from_store.into();
        value["line"] = line.into();
        value["depth"] = verified.counts.depth.into();
        value["certificate"] = json!({
            "file": path.display().to_string(),
            "bytes": bytes,
            "nodes": verified.counts.nodes,
        });
        value["zone"] = show::zone_json(game, &checked::layers(&verified.zone));
        value["picture"] = question.search.out.as_ref().map(|out| out.display().to_string()).into();
        value["seconds"] = self.seconds.into();
        value
    }
}

/// The certificate, checked. What is refused
/// is kept for a report, and claimed by nobody.
pub(super) fn believed(
    certificate: &[u8],
    position: &Position,
    attacker: Color,
    path: &Path,
) -> Result<Verified> {
    let why = match checked(certificate, position, attacker) {
        Ok(verified) => return Ok(verified),
        Err(why) => why,
    };
    let kept = refused_path(path);
    let kept = match files::write(&kept, certificate) {
        Ok(()) => format!("the refused certificate is {}", kept.display()),
        Err(_) => "the refused certificate could not be kept".to_string(),
    };
    Err(Failure::new(format!(
        "nothing is proved: the checker refuses what the prover found: {why}"
    ))
    .help(format!("this is a bug in the prover, please report it with the command; {kept}")))
}

/// `proof.refused.cert` beside `proof.cert`.
fn refused_path(path: &Path) -> PathBuf {
    let plain = if path.extension().is_some_and(|e| e == "zst") {
        path.with_extension("")
    } else {
        path.to_path_buf()
    };
    plain.with_extension("refused.cert")
}

/// A path as a shell reads it.
pub(super) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "-_./+,:@%".contains(c);
    if text.chars().all(plain) && !text.starts_with('-') {
        return text;
    }
    let escaped = text.replace('\'', "'\\''");
    let dashed = if text.starts_with('-') { "./" } else { "" };
    format!("'{dashed}{escaped}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD_CERT: &[u8] = include_bytes!("../../../../suite/good/go-moku.cert");

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("sixproof-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn claim() -> (Position, Color) {
        let verified = sixproof_check::check_bytes(GOOD_CERT).unwrap();
        let attacker = checked::color(verified.claim.attacker);
        (checked::position_of(&verified.claim).unwrap(), attacker)
    }

    #[test]
    fn what_the_checker_verifies_is_believed() {
        let (position, attacker) = claim();
        let path = Path::new("no-such-folder/proof.cert");
        assert!(believed(GOOD_CERT, &position, attacker, path).is_ok());
    }

    #[test]
    fn what_the_checker_refuses_is_kept_and_not_claimed() {
        let folder = folder("refused");
        let (position, attacker) = claim();
        let cut = &GOOD_CERT[..GOOD_CERT.len() / 2];
        let other = Position::new(position.game());
        for (certificate, position, attacker) in [
            (cut, &position, attacker),
            (b"nonsense", &position, attacker),
            (GOOD_CERT, &other, attacker),
            (GOOD_CERT, &position, !attacker),
        ] {
            let path = folder.join("proof.cert.zst");
            let failure = believed(certificate, position, attacker, &path).unwrap_err();
            let text = failure.to_string();
            assert!(text.contains("nothing is proved"), "{text}");
            assert!(text.contains("bug in the prover"), "{text}");
            let kept = std::fs::read(folder.join("proof.refused.cert")).unwrap();
            assert_eq!(kept, certificate);
            assert!(!path.exists());
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn paths_are_quoted_where_a_shell_needs_it() {
        for (path, expected) in [
            ("proof.cert", "proof.cert"),
            ("my proofs/a.cert", "'my proofs/a.cert'"),
            ("it's.cert", "'it'\\''s.cert'"),
            ("-x.cert", "'./-x.cert'"),
        ] {
            assert_eq!(quoted(Path::new(path)), expected);
        }
    }
}
