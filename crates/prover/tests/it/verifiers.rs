//! The verifiers of the papers, one by one: which replies each of them tries after the null move,
//! and what their relevance zones promise.
//!
//! A proof that the checker accepts says nothing about the rule that found it: a prover that tries
//! all moves is sound, too. Here the replies of a proof are compared with the operations of Lin's
//! thesis, square by square. Z1 and Z2 are read from the zones that the checker reports.

use std::collections::BTreeSet;

use sixproof_certificate::strategy::{NodeId, NodeKind, ROOT, ReplyKind, Strategy};
use sixproof_certificate::{Claim, Reader, Writer, certify};
use sixproof_game::{Color, Game, Position, Segment, Square};
use sixproof_oracle::random::Random;
use sixproof_prover::prove::{Counts, Options, Outcome, ZoneRule};

use crate::world::checked;

type Squares = BTreeSet<Square>;

/// Figure 6 of the thesis on a board that leaves room for its zones: Black's first move of
/// Connect(6,2,3), White to move.
const FIGURE_6: (&str, &str, &str) = ("13,13,6,2,1", "G7 G9 H8", "");
/// A win by a quiet move after a quiet move, one stone a move: White to move.
const TWO_QUIET_MOVES: (&str, &str, &str) = ("7,7,4,1,1", "D4 D5", "D3");

/// A quiet move with one stone a move, and a move with two threats and three stones a move.
const ONE_STONE: (&str, &str, &str) = ("5,5,3,1,1", "C3", "");
const THREE_STONES: (&str, &str, &str) = ("8,8,6,3,1", "D4 E4 D5 E5 F6 D6", "");

fn white_to_move((game, black, white): (&str, &str, &str)) -> Position {
    let game: Game = game.parse().expect("a game");
    let squares = |names: &str| -> Vec<Square> {
        names.split_whitespace().map(|name| game.parse_square(name).expect("a square")).collect()
    };
    Position::set_up(game, &squares(black), &squares(white), Color::White, game.p())
        .expect("a position")
}

/// The options of a verifier as its paper has it.
fn options(zones: ZoneRule, order_max: u32) -> Options {
    Options {
        zones,
        order_max,
        nodes_max: 60_000,
        mutual: false,
        grouped: false,
        best_first: false,
        ..Options::default()
    }
}

/// The proof that a verifier finds, accepted by the checker.
fn proof(position: &Position, zones: ZoneRule) -> Option<(Strategy, Counts)> {
    let report = checked(&Claim::new(position, Color::Black), &options(zones, 3));
    let Outcome::Proved { certificate, .. } = report.outcome else { return None };
    Some((Strategy::read(&certificate).expect("the checker has read it"), report.counts))
}

/// Z_i of a node: the empty squares of its zone's set A and of its segments of S_i.
fn zone(strategy: &Strategy, node: NodeId, i: u32) -> Squares {
    let position = strategy.place(node).expect("a node").position;
    let zone = strategy.zone(node).expect("a game that is not over");
    let segments = zone.segments().filter(|&(_, level)| level <= i);
    let inside = segments.flat_map(|(segment, _)| segment.squares(position.game()));
    let all = inside.chain(zone.squares().iter().copied());
    all.filter(|&square| position.at(square).is_none()).collect()
}

/// The replies at the root of a proof after a quiet move, in the words of the thesis.
struct Replies {
    /// The node after the null move.
    null: NodeId,
    /// The squares of semi-null moves, with the nodes after them.
    semi_null: Vec<(Square, NodeId)>,
    pairs: BTreeSet<[Square; 2]>,
}

fn replies(strategy: &Strategy) -> Replies {
    let of_kind = |kind| strategy.replies(ROOT).filter(move |reply| reply.kind == kind);
    Replies {
        null: of_kind(ReplyKind::Null).next().expect("a null move").node,
        semi_null: of_kind(ReplyKind::SemiNull).map(|r| (r.squares[0], r.node)).collect(),
        pairs: of_kind(ReplyKind::Full).map(|r| sorted(r.squares[0], r.squares[1])).collect(),
    }
}

fn sorted(a: Square, b: Square) -> [Square; 2] {
    [a.min(b), a.max(b)]
}

impl Replies {
    fn firsts(&self) -> Squares {
        self.semi_null.iter().map(|&(square, _)| square).collect()
    }

    /// The pairs that operation T1-1.c asks for: after the semi-null move at s all squares of Z1.
    fn after_semi_nulls(&self, strategy: &Strategy) -> BTreeSet<[Square; 2]> {
        let of = |&(first, node): &(Square, NodeId)| {
            zone(strategy, node, 1).into_iter().map(move |second| sorted(first, second))
        };
        self.semi_null.iter().flat_map(of).collect()
    }
}

/// All pairs of squares that `is_pair` keeps.
fn pairs(of: &Squares, is_pair: impl Fn(Square, Square) -> bool) -> BTreeSet<[Square; 2]> {
    let later = |a: Square| of.iter().copied().filter(move |&b| b > a);
    let all = of.iter().flat_map(|&a| later(a).map(move |b| [a, b]));
    all.filter(|&[a, b]| is_pair(a, b)).collect()
}

/// Whether two squares lie in a segment that Defender (White) can still fill.
fn share_active_segment(position: &Position, a: Square, b: Square) -> bool {
    Segment::through(position.game(), a).any(|segment| {
        let mut squares = segment.squares(position.game());
        let has_b = squares.any(|square| square == b);
        has_b && segment.squares(position.game()).all(|s| position.at(s) != Some(Color::Black))
    })
}

/// Lin, operations T0-1 to T0-3 and T1-1: every square of Z2 after the null move has its semi-null
/// move, every square of Z1 after that one its pair, and no other reply is tried.
#[test]
fn vc6_tries_z2_after_the_null_move_and_z1_after_semi_null_moves() {
    let (strategy, _) = proof(&white_to_move(FIGURE_6), ZoneRule::Vc6).expect("a win");
    let replies = replies(&strategy);
    assert_eq!(replies.firsts(), zone(&strategy, replies.null, 2));
    assert_eq!(replies.pairs, replies.after_semi_nulls(&strategy));
}

/// Lin, operations O1-T0-3 and O1-T0-4 (property INZ): semi-null moves on Z1 only; of the squares
/// of Z2 beyond Z1 both stones have to be chosen, in any order.
#[test]
fn o1_tries_semi_null_moves_on_z1_and_pairs_of_the_rest_of_z2() {
    let (strategy, _) = proof(&white_to_move(FIGURE_6), ZoneRule::O1).expect("a win");
    let replies = replies(&strategy);
    let [z1, z2] = [1, 2].map(|i| zone(&strategy, replies.null, i));
    assert_eq!(replies.firsts(), z1);
    let rest: Squares = z2.difference(&z1).copied().collect();
    let outer = pairs(&rest, |_, _| true);
    assert_eq!(outer.len(), 780);
    let all = replies.after_semi_nulls(&strategy).union(&outer).copied().collect::<BTreeSet<_>>();
    assert_eq!(replies.pairs, all);
}

/// Lin, definition 5 and operation O2-T0-4: of these pairs only those that share a segment in which
/// Defender can still win.
#[test]
fn o2_tries_pairs_of_one_active_segment() {
    let position = white_to_move(FIGURE_6);
    let (strategy, _) = proof(&position, ZoneRule::O2).expect("a win");
    let replies = replies(&strategy);
    let [z1, z2] = [1, 2].map(|i| zone(&strategy, replies.null, i));
    assert_eq!(replies.firsts(), z1);
    let rest: Squares = z2.difference(&z1).copied().collect();
    let outer = pairs(&rest, |a, b| share_active_segment(&position, a, b));
    assert_eq!(outer.len(), 135);
    let all = replies.after_semi_nulls(&strategy).union(&outer).copied().collect::<BTreeSet<_>>();
    assert_eq!(replies.pairs, all);
}

/// Segment zones: of these pairs only those in a segment of S2.
#[test]
fn segment_zones_try_pairs_of_one_segment_of_level_2() {
    let (strategy, _) = proof(&white_to_move(FIGURE_6), ZoneRule::Segment).expect("a win");
    let replies = replies(&strategy);
    let [z1, z2] = [1, 2].map(|i| zone(&strategy, replies.null, i));
    assert_eq!(replies.firsts(), z1);
    let rest: Squares = z2.difference(&z1).copied().collect();
    let null_zone = strategy.zone(replies.null).expect("a game that is not over");
    let outer = pairs(&rest, |a, b| !null_zone.is_clear(&[a, b]));
    assert!(!outer.is_empty() && outer.len() < 135, "{}", outer.len());
    let all = replies.after_semi_nulls(&strategy).union(&outer).copied().collect::<BTreeSet<_>>();
    assert_eq!(replies.pairs, all);
}

/// Lin, table 2: figure 6 takes VC6 more nodes than VC6-O1, and this one more than VC6-O2.
#[test]
fn newer_verifiers_solve_figure_6_with_fewer_nodes() {
    let position = white_to_move(FIGURE_6);
    let rules = [ZoneRule::Vc6, ZoneRule::O1, ZoneRule::O2, ZoneRule::Segment];
    let nodes = rules.map(|rule| proof(&position, rule).expect("a win").1.nodes);
    assert!(nodes.is_sorted_by(|older, newer| older > newer), "{nodes:?}");
}

/// Wu and Huang, section 5: after the null move, after a semi-null move and after both stones,
/// Attacker wins by threats that force every stone of Defender. Lin, table 1: so figure 6 is
/// solved, and wins that need more are not.
#[test]
fn vwu_has_a_forced_win_after_every_reply() {
    let (strategy, _) = proof(&white_to_move(FIGURE_6), ZoneRule::Wu).expect("a win");
    for node in 1..strategy.counts().nodes as NodeId {
        assert!(strategy.replies(node).all(|reply| reply.slack == 0), "node {node}");
    }
    let position = white_to_move(TWO_QUIET_MOVES);
    let (strategy, _) = proof(&position, ZoneRule::Vc6).expect("a win");
    let quiet = |node: NodeId| strategy.replies(node).any(|reply| reply.kind == ReplyKind::Null);
    assert!((1..strategy.counts().nodes as NodeId).any(quiet));
    assert!(proof(&position, ZoneRule::Wu).is_none());
}

/// Whether the same moves of Attacker win from a node when Defender has further stones.
fn still_wins(strategy: &Strategy, node: NodeId, further: &[Square]) -> bool {
    let cut = strategy.sub_certificate(node).expect("a game that is not over");
    let mut reader = Reader::new(&cut.bytes[..]).expect("well formed");
    let before = &reader.claim().position;
    let squares = |color| before.squares_of(color).collect::<Vec<_>>();
    let (black, mut white) = (squares(Color::Black), squares(Color::White));
    white.extend(further);
    let left = before.left();
    let after = Position::set_up(before.game(), &black, &white, Color::Black, left);
    let claim = Claim::new(&after.expect("empty squares"), Color::Black);
    let mut writer = Writer::new(Vec::new(), &claim).expect("memory takes all");
    while let Some((_, step)) = reader.next_step().expect("well formed") {
        writer.step(&step).expect("memory takes all");
    }
    certify(&claim, &writer.finish().expect("memory takes all")).is_ok()
}

/// Random empty squares outside of a zone.
fn outside(random: &mut Random, position: &Position, zone: &Squares, count: usize) -> Vec<Square> {
    let empty = |square: &Square| position.at(*square).is_none() && !zone.contains(square);
    let mut squares: Vec<Square> = position.game().squares().filter(empty).collect();
    random.shuffle(&mut squares);
    squares.truncate(count);
    squares
}

/// Wu's report, definitions 3 and 4 and corollary 5: Defender loses to the same moves of Attacker
/// with two stones outside of R(2), and with one stone at s and the other outside of R(1).
#[test]
fn stones_outside_of_the_relevance_zones_change_nothing() {
    let mut random = Random(6);
    let position = white_to_move(FIGURE_6);
    let (strategy, _) = proof(&position, ZoneRule::Vc6).expect("a win");
    let replies = replies(&strategy);
    let r2 = zone(&strategy, replies.null, 2);
    assert!(r2.len() < 100, "most squares are outside: {}", r2.len());
    for _ in 0..40 {
        let stones = outside(&mut random, &position, &r2, 2);
        assert!(still_wins(&strategy, replies.null, &stones), "{stones:?}");
    }
    for &(first, node) in &replies.semi_null {
        let r1 = zone(&strategy, node, 1);
        assert!(r1.len() < 100, "{first:?}: {}", r1.len());
        let after = strategy.place(node).expect("a node").position;
        let stones = outside(&mut random, &after, &r1, 1);
        assert!(still_wins(&strategy, node, &stones), "{first:?} {stones:?}");
        // A stone where Attacker plays ends this attack.
        assert!(!still_wins(&strategy, node, &strategy.attack(node)[..1]));
    }
}

/// Wu's report, definitions 5 and 6: a position in which Defender has skipped i stones, here by one
/// null move after another, has a zone for i stones.
#[test]
fn null_moves_after_null_moves_leave_zones_for_all_skipped_stones() {
    let mut random = Random(7);
    let (strategy, _) = proof(&white_to_move(TWO_QUIET_MOVES), ZoneRule::Vc6).expect("a win");
    let mut skipped_max = 0;
    for node in 1..strategy.counts().nodes as NodeId {
        let place = strategy.place(node).expect("a node");
        let nulls = place.line.iter().filter(|turn| turn.squares.is_empty()).count();
        if nulls < 2 || strategy.kind(node) != NodeKind::Attack {
            continue;
        }
        skipped_max = skipped_max.max(nulls);
        let z = zone(&strategy, node, nulls as u32);
        let stones = outside(&mut random, &place.position, &z, nulls);
        assert!(still_wins(&strategy, node, &stones), "{stones:?} after {:?}", place.line);
    }
    assert_eq!(skipped_max, 2, "as many null moves as an order of 3 allows");
}

/// Lin, appendix D, operations Par-1 to Par-5: with any number p of stones, a reply that leaves out
/// u of them is tried again with each square of its Z_u.
#[test]
fn vck_adds_stones_one_by_one_for_every_p() {
    for (start, slack_max) in [(ONE_STONE, 1), (FIGURE_6, 2), (THREE_STONES, 1)] {
        let (strategy, _) = proof(&white_to_move(start), ZoneRule::Vc6).expect("a win");
        let known: BTreeSet<Squares> =
            strategy.replies(ROOT).map(|reply| reply.squares.iter().copied().collect()).collect();
        let mut slacks = BTreeSet::new();
        for reply in strategy.replies(ROOT).filter(|reply| reply.slack > 0) {
            slacks.insert(reply.slack);
            for square in zone(&strategy, reply.node, reply.slack) {
                let mut longer: Squares = reply.squares.iter().copied().collect();
                longer.insert(square);
                assert!(known.contains(&longer), "{start:?}: {longer:?}");
            }
        }
        assert_eq!(slacks, (1..=slack_max).collect(), "{start:?}");
    }
    for (name, rule) in ZoneRule::ALL {
        assert!(proof(&white_to_move(THREE_STONES), rule).is_some(), "{name}");
    }
}
