//! A win that a search claims: believed when the checker has verified its certificate, kept in a
//! file, and then reported.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sixproof_certificate::{Certified, Claim, certify};
use sixproof_game::Square;
use sixproof_game::picture::{Picture, ZoneLayers};

use super::question::{Question, picture_kind};
use super::show;
use crate::fit;
use crate::suggest::{self, quoted};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files::{self, Place};
use sixproof_solve::output::{GOOD, HINT, Output};
use sixproof_solve::store::{self, Memory};
use sixproof_solve::verdict::{line_text, nodes_text};

/// The most moves of the winning line that are numbered on the board: two digits would make the
/// board of Connect6 wider than many terminals.
const NUMBERED_MAX: usize = 9;

/// What a search says that it has proved.
pub(super) struct Proof {
    pub(super) certificate: Vec<u8>,
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
        let path = question.place_for(&self.certificate).path;
        let certified = believed(&question.claim(), &self.certificate, &path)?;
        memory.keep(&certified, &self.certificate, self.order, self.nodes);
        self.say(question, &certified, output)
    }

    /// Writes a certificate that the checker has verified, and says that the win is proved.
    pub(super) fn say(
        &self,
        question: &Question<'_>,
        certified: &Certified,
        output: Output,
    ) -> Result<()> {
        let place = question.place_for(&self.certificate);
        let bytes = match place.is_there {
            true => self.certificate.len(),
            false => {
                files::write_certificate(&place.path, &self.certificate).map_err(|failure| {
                    failure.help("the win is proved, but its certificate could not be kept")
                })?
            }
        };
        let line = store::longest_line(&self.certificate);
        let zone = certified.layers();
        let report = Report { proof: self, question, certified, place, line, zone };
        let picture = report.picture()?;
        if let Some(out) = &question.search.out {
            let file = match picture_kind(out)?.as_str() {
                "png" => show::png(&picture, question.picture.width)?,
                _ => picture.svg().into_bytes(),
            };
            files::write(out, &file)?;
        }
        match (output.json, question.search.quiet) {
            (true, _) => output.say_json(&report.json(bytes)),
            (_, true) => {
                output.say(format!("{}: {}", report.place.path.display(), report.sentence()));
            }
            _ => report.say(&picture, output),
        }
        Ok(())
    }
}

/// A proof that was checked and written, on its way to the reader.
struct Report<'a> {
    proof: &'a Proof,
    question: &'a Question<'a>,
    certified: &'a Certified,
    place: Place,
    /// The longest line of the proof, from the side to move on.
    line: Vec<Vec<Square>>,
    zone: ZoneLayers,
}

impl Report<'_> {
    fn sentence(&self) -> String {
        let Report { proof, question, certified, .. } = self;
        let depth = match certified.counts().depth {
            0 if question.position.to_move() == question.attacker => "at once".to_string(),
            0 => "no reply blocks the threats".to_string(),
            1 => "1 move deep".to_string(),
            depth => format!("{depth} moves deep"),
        };
        let order = proof.order.map(|order| format!("order {order}, ")).unwrap_or_default();
        let from = if proof.from_store { ", from the store" } else { "" };
        format!("{GOOD}{} wins by force{GOOD:#}: {order}{depth}{from}", question.subject())
    }

    fn say(&self, picture: &Picture, output: Output) {
        let Report { proof, question, certified, place, .. } = self;
        output.say(self.sentence());
        if proof.from_store {
            let text = "an earlier search found this proof; --no-store searches again";
            output.say(fit::labelled("remembered", text));
        }
        let position = question.position;
        if let Some(line) = line_text(position.game(), &self.line, position) {
            output.say(fit::labelled("line", &line));
        }
        if question.search.out.is_none() {
            show::say_picture(picture, question.picture.ascii, output);
        }
        if self.is_whole_board() {
            output.say("zone        the whole board");
        }
        if let Some(rules) = question.rules {
            let game = position.game().title();
            let text = format!("the claim is about {game}, not about the file's rules (`{rules}`)");
            output.say(fit::labelled("rules", &text));
        }
        let name = place.path.display();
        let there = if place.is_there { " (the same bytes were there before)" } else { "" };
        output.say(format!("certificate {name}{there}"));
        let nodes = nodes_text(certified.counts().nodes);
        output.say(format!("checker     {GOOD}verified{GOOD:#} the certificate: {nodes}"));
        let earlier = if proof.from_store { ", when it was found" } else { "" };
        if !proof.from_store || proof.nodes > 0 {
            output.say(format!("search      {}{earlier}", nodes_text(proof.nodes)));
        }
        output.say(format!("time        {:.3} s", proof.seconds));
        self.say_next(output);
        if let Some(out) = &question.search.out {
            output.written(out, 0);
        }
    }

    /// What the reader can do with the proof; after the example, also what else there is to try.
    fn say_next(&self, output: Output) {
        let file = quoted(&self.place.path);
        if !self.question.is_example() {
            let command = suggest::command(&format!("check {file}"));
            return output.say(format!("check it    {HINT}{command}{HINT:#}"));
        }
        let own = "prove \"J10 / A1 S19 / K11 L12 / A3 S17\"".to_string();
        suggest::say(
            &[
                (format!("check {file}"), "checks the proof again"),
                (format!("serve {file}"), "shows it in the browser"),
                ("play".to_string(), "plays Connect6 with you"),
                (own, "or your own moves"),
            ],
            output,
        );
    }

    /// Whether the proof depends on every square, so that drawing the zone would show nothing.
    fn is_whole_board(&self) -> bool {
        let (game, ZoneLayers { solid, hatched }) = (self.question.position.game(), &self.zone);
        let is_free = |square: &Square| self.question.position.at(*square).is_none();
        let matters = |square: Square| solid.contains(&square) || hatched.contains(&square);
        !game.is_unbounded() && game.squares().filter(is_free).all(matters)
    }

    /// The first moves of the line, as long as Defender's replies are moves: not more stones than
    /// a move has, and not fewer. None where Defender is to move, who has a choice.
    fn first_moves(&self) -> &[Vec<Square>] {
        let Question { position, attacker, .. } = *self.question;
        if position.to_move() != attacker {
            return &[];
        }
        let is_move = |(index, squares): (usize, &Vec<Square>)| {
            index % 2 == 0 || squares.len() == position.game().p() as usize
        };
        let count = self.line.iter().enumerate().take_while(|&entry| is_move(entry)).count();
        &self.line[..count.min(NUMBERED_MAX)]
    }

    /// The board with the zone, and with the first moves of the win.
    fn picture(&self) -> Result<Picture> {
        let Question { position, played, attacker, picture: options, .. } = *self.question;
        let zone = Some(self.zone.clone()).filter(|_| !self.is_whole_board());
        let mut picture = show::dressed(options, position, played, zone)?;
        let before = played.iter().map(|&(_, number)| number).max().filter(|_| options.numbers);
        let moves = self.first_moves();
        let numbers = before.unwrap_or(0) + 1..;
        let sides = [attacker, !attacker].into_iter().cycle();
        for ((squares, number), side) in moves.iter().zip(numbers.clone()).zip(sides) {
            for &square in squares {
                picture = picture.ghost(square, side, Some(number));
            }
        }
        if options.caption.is_some() {
            return Ok(picture);
        }
        if self.question.search.out.is_some() {
            let nodes = nodes_text(self.certified.counts().nodes);
            return Ok(picture.caption(format!("{} wins, {nodes} verified", attacker.title())));
        }
        let (first, next) = (numbers.start, numbers.start + 1);
        let winning = format!("{first} is the winning move");
        Ok(match moves.len() as u32 {
            0 => picture,
            1 => picture.caption(winning),
            2 => picture.caption(format!("{winning}, {next} goes on along the line")),
            3 => {
                picture.caption(format!("{winning}, {next} and {} go on along the line", first + 2))
            }
            n => picture
                .caption(format!("{winning}, {next} to {} go on along the line", first + n - 1)),
        })
    }

    fn json(&self, bytes: usize) -> Value {
        let Report { proof, question, certified, place, .. } = self;
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
        value["order"] = proof.order.into();
        value["nodes"] = proof.nodes.into();
        value["from_store"] = proof.from_store.into();
        value["line"] = line.into();
        value["depth"] = certified.counts().depth.into();
        value["certificate"] = json!({
            "file": place.path.display().to_string(),
            "bytes": bytes,
            "nodes": certified.counts().nodes,
        });
        value["zone"] = show::zone_json(game, &self.zone);
        value["picture"] = question.search.out.as_ref().map(|out| out.display().to_string()).into();
        value["seconds"] = proof.seconds.into();
        value
    }
}

/// The certificate, checked. One that the checker refuses is kept for a bug report, and proves
/// nothing.
pub(super) fn believed(claim: &Claim, certificate: &[u8], path: &Path) -> Result<Certified> {
    let why = match certify(claim, certificate) {
        Ok(certified) => return Ok(certified),
        Err(refused) => refused,
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

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_certificate::certify_pipe;
    use sixproof_game::Position;

    const GOOD_CERT: &[u8] = include_bytes!("../../../../suite/good/go-moku.cert");

    fn claim() -> Claim {
        certify_pipe(GOOD_CERT, &mut ()).unwrap().claim().clone()
    }

    #[test]
    fn what_the_checker_verifies_is_believed() {
        let path = Path::new("no-such-folder/proof.cert");
        assert!(believed(&claim(), GOOD_CERT, path).is_ok());
    }

    #[test]
    fn what_the_checker_refuses_is_kept_and_not_claimed() {
        let folder = tempfile::tempdir().unwrap();
        let claim = claim();
        let cut = &GOOD_CERT[..GOOD_CERT.len() / 2];
        let empty = Position::new(claim.position.game());
        let other = Claim { position: empty, ..claim.clone() };
        let opposite = Claim { attacker: !claim.attacker, ..claim.clone() };
        for (certificate, claim) in
            [(cut, &claim), (b"nonsense", &claim), (GOOD_CERT, &other), (GOOD_CERT, &opposite)]
        {
            let path = folder.path().join("proof.cert.zst");
            let failure = believed(claim, certificate, &path).unwrap_err();
            let text = failure.to_string();
            assert!(text.contains("nothing is proved"), "{text}");
            assert!(text.contains("bug in the prover"), "{text}");
            let kept = std::fs::read(folder.path().join("proof.refused.cert")).unwrap();
            assert_eq!(kept, certificate);
            assert!(!path.exists());
        }
    }
}
