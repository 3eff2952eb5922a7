//! The report of a win: its certificate goes into a file, and then the reader sees line, zone and
//! what the checker counted.

use serde_json::{Value, json};
use sixproof_game::picture::{Picture, ZoneLayers};
use sixproof_game::{Move, Square};

use super::request::Request;
use crate::Exit;
use crate::drawing;
use crate::layout;
use crate::try_next::{self, quoted};
use sixproof_solve::failure::Result;
use sixproof_solve::files::{self, FilePlace};
use sixproof_solve::output::{GOOD, HINT, Output};
use sixproof_solve::question::{Answer, Proof, Source};
use sixproof_solve::words::{line_text, nodes_text};

/// The most moves of the winning line that are numbered on the board: two digits would make the
/// board of Connect6 wider than many terminals.
const NUMBERED_MAX: usize = 9;

/// Writes the certificate of a win, and reports it.
pub(super) fn report(
    request: &Request<'_>,
    answer: &Answer,
    proof: &Proof,
    seconds: f64,
    output: Output,
) -> Result<Exit> {
    let place = request.place_for(&proof.certificate);
    let bytes = match place.is_there {
        true => proof.certificate.len(),
        false => files::write_certificate(&place.path, &proof.certificate).map_err(|failure| {
            failure.help("the win is proved, but its certificate could not be kept")
        })?,
    };
    let zone = proof.certified.layers();
    let report = Report { request, answer, proof, seconds, place, zone };
    let picture = report.picture()?;
    if let Some(out) = &request.search.out {
        let file = match drawing::kind(out)?.as_str() {
            "png" => drawing::png(&picture, request.picture.width)?,
            _ => picture.svg().into_bytes(),
        };
        files::write(out, &file)?;
    }
    match (output.json, request.search.quiet) {
        (true, _) => output.say_json(&report.json(bytes)),
        (_, true) => output.say(format!("{}: {}", report.place.path.display(), report.sentence())),
        _ => report.say(&picture, output),
    }
    Ok(Exit::Yes)
}

/// The report of a proof that was checked and written.
struct Report<'a> {
    request: &'a Request<'a>,
    answer: &'a Answer,
    proof: &'a Proof,
    seconds: f64,
    place: FilePlace,
    zone: ZoneLayers,
}

impl Report<'_> {
    fn sentence(&self) -> String {
        let Report { request, answer, proof, .. } = self;
        let depth = match proof.certified.counts().depth {
            0 if request.position().to_move() == request.claim.attacker => "at once".to_string(),
            0 => "no reply blocks the threats".to_string(),
            1 => "1 move deep".to_string(),
            depth => format!("{depth} moves deep"),
        };
        let order = answer.order.map(|order| format!("order {order}, ")).unwrap_or_default();
        let from = if self.is_from_store() { ", from the store" } else { "" };
        format!("{GOOD}{} wins by force{GOOD:#}: {order}{depth}{from}", request.subject())
    }

    fn is_from_store(&self) -> bool {
        self.answer.source == Source::Store
    }

    fn say(&self, picture: &Picture, output: Output) {
        let Report { request, answer, proof, place, .. } = self;
        output.say(self.sentence());
        if self.is_from_store() {
            let text = "an earlier search found this proof; --no-store searches again";
            output.say(layout::labelled("remembered", text));
        }
        let position = request.position();
        if let Some(line) = line_text(position.game(), &proof.line, position) {
            output.say(layout::labelled("line", &line));
        }
        if request.search.out.is_none() {
            drawing::say(picture, request.picture.ascii, output);
        }
        if self.is_whole_board() {
            output.say("zone        the whole board");
        }
        if let Some(rules) = request.rules {
            let game = position.game().title();
            let text = format!("the claim is about {game}, not about the file's rules (`{rules}`)");
            output.say(layout::labelled("rules", &text));
        }
        let name = place.path.display();
        let there = if place.is_there { " (the same bytes were there before)" } else { "" };
        output.say(format!("certificate {name}{there}"));
        let nodes = nodes_text(proof.certified.counts().nodes);
        output.say(format!("checker     {GOOD}verified{GOOD:#} the certificate: {nodes}"));
        let earlier = if self.is_from_store() { ", when it was found" } else { "" };
        if !self.is_from_store() || answer.nodes > 0 {
            output.say(format!("search      {}{earlier}", nodes_text(answer.nodes)));
        }
        output.say(format!("time        {:.3} s", self.seconds));
        self.say_next(output);
        if let Some(out) = &request.search.out {
            output.written(out, 0);
        }
    }

    /// What the reader can do with the proof; after the example, also what else there is to try.
    fn say_next(&self, output: Output) {
        let file = quoted(&self.place.path);
        if !self.request.is_example() {
            let command = try_next::command(&format!("check {file}"));
            return output.say(format!("check it    {HINT}{command}{HINT:#}"));
        }
        let own = "prove \"J10 / A1 S19 / K11 L12 / A3 S17\"".to_string();
        try_next::say(
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
        let (game, ZoneLayers { solid, hatched }) = (self.request.game(), &self.zone);
        let is_free = |square: &Square| self.request.position().at(*square).is_none();
        let matters = |square: Square| solid.contains(&square) || hatched.contains(&square);
        !game.is_unbounded() && game.squares().filter(is_free).all(matters)
    }

    /// The first moves of the line, as long as Defender's replies are moves: not more stones than
    /// a move has, and not fewer. None where Defender is to move, who has a choice.
    fn first_moves(&self) -> &[Move] {
        let position = self.request.position();
        if position.to_move() != self.request.claim.attacker {
            return &[];
        }
        let is_move = |(index, squares): (usize, &Move)| {
            index % 2 == 0 || squares.len() == position.game().p() as usize
        };
        let count = self.proof.line.iter().enumerate().take_while(|&entry| is_move(entry)).count();
        &self.proof.line[..count.min(NUMBERED_MAX)]
    }

    /// The board with the zone, and with the first moves of the win.
    fn picture(&self) -> Result<Picture> {
        let Request { played, picture: options, .. } = *self.request;
        let (position, attacker) = (self.request.position(), self.request.claim.attacker);
        let zone = Some(self.zone.clone()).filter(|_| !self.is_whole_board());
        let mut picture = drawing::board(options, position, played, zone)?;
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
        if self.request.search.out.is_some() {
            let nodes = nodes_text(self.proof.certified.counts().nodes);
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
        let Report { request, answer, proof, place, .. } = self;
        let (game, counts) = (request.game(), proof.certified.counts());
        let sides = [request.position().to_move(), !request.position().to_move()];
        let line: Vec<Value> = proof
            .line
            .iter()
            .zip(sides.iter().cycle())
            .map(|(squares, side)| {
                let names: Vec<String> = squares.iter().map(|&s| game.square_name(s)).collect();
                json!({ "side": side.to_string(), "squares": names })
            })
            .collect();
        let mut value = request.json("proved");
        value["checked"] = true.into();
        value["order"] = answer.order.into();
        value["nodes"] = answer.nodes.into();
        value["from_store"] = self.is_from_store().into();
        value["line"] = line.into();
        value["depth"] = counts.depth.into();
        value["certificate"] = json!({
            "file": place.path.display().to_string(),
            "bytes": bytes,
            "nodes": counts.nodes,
        });
        value["zone"] = drawing::zone_json(game, &self.zone);
        value["picture"] = request.search.out.as_ref().map(|out| out.display().to_string()).into();
        value["seconds"] = self.seconds.into();
        value
    }
}
