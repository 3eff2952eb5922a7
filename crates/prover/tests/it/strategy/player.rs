//! A game between a strategy and a real Defender: real moves, no macros, and the rules written down
//! here once more.

use std::collections::{BTreeMap, BTreeSet};

use sixproof_certificate::strategy::{Continuation, NodeId, NodeKind, Onward};
use sixproof_game::{Color, Game, Position, Square};
use sixproof_oracle::random::Random;

use super::samples::Sample;

/// Counts of the games.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) games: usize,
    pub(crate) stands: usize,
    pub(crate) answered: usize,
    pub(crate) too_late: usize,
    pub(crate) incomplete: usize,
    /// Walks with stones outside of the zone.
    pub(crate) extra: usize,
    /// Moves on squares that only a macro had taken.
    pub(crate) assumed: usize,
    pub(crate) references: usize,
}

/// The board as it is.
struct Table<'a> {
    sample: &'a Sample,
    game: Game,
    attacker: Color,
    stones: BTreeMap<Square, Color>,
    /// Where the proof is.
    node: NodeId,
    extra: Vec<Square>,
}

/// Plays a game to its end.
pub(crate) fn play(sample: &Sample, random: &mut Random, seen: &mut Seen) {
    let claim = sample.strategy.claim();
    let mut table = Table {
        sample,
        game: claim.position.game(),
        attacker: claim.attacker,
        stones: claim.position.stones().collect(),
        node: 0,
        extra: Vec::new(),
    };
    seen.games += 1;
    let gifts = *random.pick(&[0, 0, 15, 60]);
    let skill = *random.pick(&[30, 80, 95, 100]);
    loop {
        table.check();
        if table.sample.strategy.kind(table.node) == NodeKind::Defence {
            let stones = table.choose(skill, random);
            if table.defend(&stones, random, seen) {
                return;
            }
            continue;
        }
        if random.chance(gifts) {
            table.give(random, seen);
        }
        let attack = table.sample.strategy.attack(table.node).to_vec();
        let won = table.attack(&attack);
        match table.sample.strategy.defence(table.node) {
            _ if won => return,
            None => panic!("{}: a win that is none: {attack:?}", table.sample.name),
            Some(defence) => table.node = defence,
        }
    }
}

impl Table<'_> {
    fn defender(&self) -> Color {
        !self.attacker
    }

    fn position(&self) -> Position {
        self.sample.strategy.place(self.node).expect("nodes have places").position
    }

    /// The proof knows the board: Attacker's stones are the same, Defender has no unknown stone,
    /// and the extra ones lie where they do not matter.
    fn check(&self) {
        let name = &self.sample.name;
        let position = self.position();
        let of = |color: Color| -> BTreeSet<Square> {
            self.stones.iter().filter(|(_, c)| **c == color).map(|(s, _)| *s).collect()
        };
        let own: BTreeSet<Square> = position.squares_of(self.attacker).collect();
        assert_eq!(own, of(self.attacker), "{name}");
        let extra: BTreeSet<Square> = self.extra.iter().copied().collect();
        let mut known: BTreeSet<Square> = position.squares_of(self.defender()).collect();
        assert!(known.is_disjoint(&extra), "{name}");
        known.extend(&extra);
        assert!(of(self.defender()).is_subset(&known), "{name}: {extra:?}");
        assert!(extra.is_subset(&of(self.defender())), "{name}: {extra:?}");
        let zone = self.sample.zone(self.node).expect("the game is on");
        assert!(zone.is_clear(&self.extra), "{name}: {extra:?}");
    }

    /// Attacker plays: the squares are empty, and Defender has not won before. True if he wins.
    fn attack(&mut self, squares: &[Square]) -> bool {
        assert!(!self.has_line(self.defender(), false), "{}: Defender won", self.sample.name);
        for &square in squares {
            let before = self.stones.insert(square, self.attacker);
            assert_eq!(before, None, "{}: {square:?} is taken", self.sample.name);
        }
        self.has_line(self.attacker, self.game.exact())
    }

    /// k in a row, or more if that counts.
    fn has_line(&self, color: Color, exact: bool) -> bool {
        let own = |x: i32, y: i32| self.stones.get(&Square::new(x, y)) == Some(&color);
        let k = self.game.k() as i32;
        self.stones.keys().any(|s| {
            [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
                let at = |i: i32| own(s.x + i * dx, s.y + i * dy);
                (0..k).all(at) && (!exact || !(at(-1) || at(k)))
            })
        })
    }

    fn is_empty(&self, square: Square) -> bool {
        self.game.contains(square) && !self.stones.contains_key(&square)
    }

    /// Any empty square; on an unbounded board near the stones, or far away.
    fn any(&self, random: &mut Random) -> Option<Square> {
        if !self.game.is_unbounded() {
            let list: Vec<Square> = self.game.squares().filter(|&s| self.is_empty(s)).collect();
            return (!list.is_empty()).then(|| *random.pick(&list));
        }
        let centre = *random.pick(&self.stones.keys().copied().collect::<Vec<_>>());
        let reach = *random.pick(&[3, 8, 40, 1_000]);
        let mut offset = || random.below(2 * reach + 1) as i32 - reach as i32;
        Some(Square::new(centre.x + offset(), centre.y + offset())).filter(|&s| self.is_empty(s))
    }

    /// A move of Defender: `skill` percent of its stones lie where they may hurt.
    fn choose(&self, skill: usize, random: &mut Random) -> Vec<Square> {
        let strategy = &self.sample.strategy;
        let position = self.position();
        let threats = strategy.threats(self.node, &position);
        // Replies whose proof stands elsewhere are few, and therefore preferred.
        let mut replies: Vec<_> = strategy.replies(self.node).collect();
        let elsewhere = replies.iter().any(|r| strategy.parent(r.node) != Some(self.node));
        if elsewhere && random.chance(70) {
            replies.retain(|reply| strategy.parent(reply.node) != Some(self.node));
        }
        let model = (!replies.is_empty()).then(|| random.pick(&replies).squares);
        let zone = self.sample.zone(self.node).expect("the game is on");
        let assumed: Vec<Square> =
            position.squares_of(self.defender()).filter(|&s| self.is_empty(s)).collect();
        let mut stones: Vec<Square> = Vec::new();
        for _ in 0..1_000 {
            if stones.len() as u32 == strategy.stones(self.node) {
                break;
            }
            let open = threats.iter().find(|(_, e)| !e.iter().any(|s| stones.contains(s)));
            let list: Vec<Square> = match random.below(6) {
                _ if !random.chance(skill) => Vec::new(),
                _ if elsewhere && model.is_some_and(|m| m.iter().any(|s| !stones.contains(s))) => {
                    model.unwrap_or_default().to_vec()
                }
                0..=2 if open.is_some() => open.map(|(_, e)| e.clone()).unwrap_or_default(),
                0..=2 if model.is_some() => model.unwrap_or_default().to_vec(),
                3 => zone.squares().to_vec(),
                4 if !assumed.is_empty() => assumed.clone(),
                // Where Defender has the most stones already.
                _ => {
                    let by_stones = |(segment, _): &(sixproof_game::Segment, u32)| {
                        let squares = segment.squares(self.game);
                        squares.filter(|s| self.stones.contains_key(s)).count()
                    };
                    let best = zone.segments().max_by_key(by_stones);
                    best.map(|(g, _)| g.squares(self.game).collect()).unwrap_or_default()
                }
            };
            let list: Vec<Square> =
                list.into_iter().filter(|&s| self.is_empty(s) && !stones.contains(&s)).collect();
            let square = match list.is_empty() {
                true => self.any(random),
                false => Some(*random.pick(&list)),
            };
            stones.extend(square.filter(|square| !stones.contains(square)));
            let full = self.game.area() == Some(self.stones.len() + stones.len());
            if full {
                break;
            }
        }
        stones
    }

    /// The strategy's answers, with the zones of the checker.
    fn ask(&self, stones: &[Square]) -> Continuation {
        let mut zones = |node| self.sample.zone(node);
        let answer = self.sample.strategy.answer(self.node, &self.extra, stones, &mut zones);
        answer.unwrap_or_else(|error| panic!("{}: {stones:?}: {error}", self.sample.name))
    }

    /// Defender plays. True if Attacker wins at once.
    fn defend(&mut self, stones: &[Square], random: &mut Random, seen: &mut Seen) -> bool {
        let name = self.sample.name.clone();
        self.first_stones(stones, random, seen);
        let answer = self.ask(stones);
        let position = self.position();
        seen.assumed += stones.iter().filter(|&&s| position.at(s).is_some()).count();
        self.stones.extend(stones.iter().map(|&s| (s, !self.attacker)));
        match answer {
            Continuation::TooLate { threat, completes } => {
                seen.too_late += 1;
                assert!(completes.iter().all(|s| threat.squares(self.game).any(|t| t == *s)));
                assert!(completes.len() as u32 <= self.game.p(), "{name}");
                assert!(self.attack(&completes), "{name}: {completes:?} completes nothing");
                return true;
            }
            Continuation::Stands(onward) => {
                seen.stands += 1;
                self.go_on(onward, seen);
            }
            Continuation::Answered(onward) => {
                seen.answered += 1;
                self.go_on(onward, seen);
            }
            other => {
                panic!("{name}: at {} with {:?}: {stones:?}: {other:?}", self.node, self.extra)
            }
        }
        false
    }

    fn go_on(&mut self, onward: Onward, seen: &mut Seen) {
        let strategy = &self.sample.strategy;
        if strategy.parent(onward.node) != Some(self.node) {
            seen.references += 1;
        }
        seen.extra += usize::from(!onward.extra.is_empty());
        (self.node, self.extra) = (onward.node, onward.extra);
    }

    /// An answer about the first stones of a move holds for the whole move.
    fn first_stones(&self, stones: &[Square], random: &mut Random, seen: &mut Seen) {
        let count = random.below(stones.len() + 1);
        let (first, name) = (&stones[..count], &self.sample.name);
        match self.ask(first) {
            Continuation::TooLate { .. } => {
                assert!(
                    matches!(self.ask(stones), Continuation::TooLate { .. }),
                    "{name} {stones:?}"
                );
            }
            Continuation::Incomplete { missing, open, outside } => {
                seen.incomplete += 1;
                let size = self.sample.strategy.stones(self.node);
                assert_eq!(missing as usize + count, size as usize, "{name}");
                assert_eq!(open.is_empty(), outside.is_some(), "{name}: {first:?}");
                let Some(onward) = outside else { return };
                let reply = onward.reply.and_then(|i| self.sample.strategy.reply(self.node, i));
                let reply = reply.expect("a reply answers at a defence");
                // The rest anywhere outside: the same reply answers.
                let zone = self.sample.zone(self.node).expect("the game is on");
                let child = self.sample.zone(onward.node).expect("the game is on");
                let position = self.position();
                let mut beside = self.extra.clone();
                for _ in 0..missing {
                    let rest = self.any(random).filter(|s| position.at(*s).is_none());
                    let new = rest.filter(|s| !first.contains(s) && !beside.contains(s));
                    beside.extend(new);
                    if !zone.is_clear(&beside) {
                        beside.pop();
                    }
                }
                beside.extend(first.iter().filter(|s| position.at(**s).is_none()));
                beside.retain(|square| !reply.squares.contains(square));
                assert!(child.is_clear(&beside), "{name}: {first:?} {beside:?}");
            }
            _ => assert_eq!(self.ask(first), self.ask(stones), "{name}"),
        }
    }

    /// Defender gets a free stone wherever the proof says that it does not matter.
    fn give(&mut self, random: &mut Random, seen: &mut Seen) {
        let position = self.position();
        let Some(gift) = self.any(random).filter(|&s| position.at(s).is_none()) else { return };
        let zone = self.sample.zone(self.node).expect("the game is on");
        let mut all = self.extra.clone();
        all.push(gift);
        match self.ask(&[gift]) {
            Continuation::Stands(onward) => {
                assert!(zone.is_clear(&all) && onward.node == self.node);
                self.stones.insert(gift, self.defender());
                seen.extra += 1;
                self.extra = onward.extra;
            }
            Continuation::Inside { squares } => {
                assert!(!zone.is_clear(&all) && squares.contains(&gift));
            }
            other => panic!("{}: {gift:?}: {other:?}", self.sample.name),
        }
    }
}
