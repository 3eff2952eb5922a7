//! Dependency-based search: the tables of Allis's paper line by line, Wu's corollaries by hand, and
//! the law that the checker accepts every sequence reported as proved.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use sixproof_certificate::Claim;
use sixproof_game::{Color, Game, Position, Segment, Square, diagram};
use sixproof_oracle::effort;
use sixproof_prover::dependency::{Found, Limits, Sequence, ThreatKind, search};

const WITH_THREES: Limits = Limits { nodes_max: 10_000, threes: true };
const FOURS_ONLY: Limits = Limits { nodes_max: 10_000, threes: false };

/// Table 1 of the paper: depth, type of threat, gain square, cost squares.
const TABLE_1: &str = "
1 Four l15 k15
1 Four k15 l15
1 Four e15 d15
2 Four i11 h12
3 StraightFour i8 i7
2 Four h12 i11
1 Four d15 e15
1 Four o12 o11
1 Four o11 o12
1 Four a12 a11
1 Four a11 a12
1 Three i11 i7,i8,i12
2 Four h12 e15
2 Four e15 h12
3 Five d15
1 Three i8 i7,i11,i12
1 Four o5 o4
1 Four o4 o5
1 Four l1 k1
1 Four k1 l1
1 Four e1 d1
1 Four d1 e1
1 Four a5 a4
1 Four a4 a5";

/// Table 2: the dependency stage of diagram 4.
const TABLE_2: &str = "
1 Four h10 h9
1 Four h9 h10
1 Four j10 i9
1 Four i9 j10";

/// Table 3: the same with its combinations.
const TABLE_3: &str = "
1 Four h10 h9
2 Combination i9 j10
3 StraightFour f12 e13
2 Combination j10 i9
1 Four h9 h10
2 Combination i9 j10
1 Four j10 i9
1 Four i9 j10";

fn position(name: &str) -> Position {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/allis").join(name);
    diagram::read(&fs::read_to_string(path).expect("the suite is there"), None).unwrap()
}

/// A tree without the order of siblings: the line of each node behind those above it.
fn paths(lines: impl Iterator<Item = (usize, String)>) -> Vec<String> {
    let mut above: Vec<String> = Vec::new();
    let mut paths: Vec<String> = lines
        .map(|(depth, line)| {
            above.truncate(depth - 1);
            above.push(line);
            above.join(" / ")
        })
        .collect();
    paths.sort();
    paths
}

fn table(text: &str) -> Vec<String> {
    paths(text.lines().filter(|line| !line.is_empty()).map(|line| {
        let (depth, rest) = line.split_once(' ').unwrap();
        let mut words: Vec<&str> = rest.split([' ', ',']).collect();
        words[2..].sort();
        (depth.parse().unwrap(), words.join(" "))
    }))
}

fn tree(found: &Found, game: Game) -> Vec<String> {
    paths(found.tree.preorder().into_iter().map(|index| {
        let node = &found.tree.nodes[index];
        let names = |squares: &[Square]| -> Vec<String> {
            squares.iter().map(|&s| game.square_name(s).to_lowercase()).collect()
        };
        let mut cost = names(&node.cost);
        cost.sort();
        let words = [vec![format!("{:?}", node.kind)], names(&node.gain), cost].concat();
        (node.depth as usize, words.join(" "))
    }))
}

fn moves(sequence: &Sequence, game: Game) -> String {
    let names: Vec<String> = sequence.moves.iter().map(|m| game.square_names(m)).collect();
    names.join(" / ")
}

/// Every certificate of a search is accepted. Returns how many there are.
fn accepted(found: &Found) -> usize {
    let certificates = found.sequences.iter().filter_map(|s| s.certificate.as_ref());
    certificates
        .map(|bytes| {
            if let Err(refusal) = sixproof_check::check_bytes(bytes) {
                panic!("{refusal:?}\n{}", String::from_utf8_lossy(bytes));
            }
        })
        .count()
}

#[test]
fn diagram_3b_has_the_search_tree_of_table_1() {
    let position = position("diagram-3b.txt");
    let found = search(&Claim::new(&position, Color::Black), WITH_THREES);
    assert_eq!(tree(&found, position.game()), table(TABLE_1));
    assert_eq!((found.nodes, found.complete), (24, true));
    let lines: Vec<String> = found.sequences.iter().map(|s| moves(s, position.game())).collect();
    assert_eq!(lines, ["E15 / I11 / I8", "I11 / E15 / D15"]);
    assert_eq!(accepted(&found), 2, "both potential winning sequences are proved");
}

#[test]
fn diagram_3a_has_loose_threats_only() {
    let position = position("diagram-3a.txt");
    for limits in [WITH_THREES, FOURS_ONLY] {
        let found = search(&Claim::new(&position, Color::Black), limits);
        let fours = found.tree.nodes.iter().filter(|n| n.kind == ThreatKind::Four).count();
        // The combinations are those of the short diagonals in the corners.
        assert_eq!((fours, found.nodes, found.complete), (16, 20, true));
        assert!(found.sequences.is_empty());
    }
}

#[test]
fn diagram_4_has_the_search_trees_of_tables_2_and_3() {
    let position = position("diagram-4.txt");
    let found = search(&Claim::new(&position, Color::Black), FOURS_ONLY);
    assert_eq!(tree(&found, position.game()), table(TABLE_3));
    assert_eq!((found.nodes, found.complete), (8, true));
    let first_stage = Limits { nodes_max: 4, ..FOURS_ONLY };
    let first_stage = search(&Claim::new(&position, Color::Black), first_stage);
    assert_eq!(tree(&first_stage, position.game()), table(TABLE_2));
    assert!(first_stage.sequences.is_empty() && !first_stage.complete);
    assert_eq!(moves(&found.sequences[0], position.game()), "H10 / I9 / F12");
    assert_eq!((found.sequences.len(), accepted(&found)), (1, 1));
}

/// The definitions of section 3.1 give a three at F12 behind H10, which table 2 leaves out: it is a
/// table of fours. With threes there is no need to combine.
#[test]
fn diagram_4_is_won_without_combination_when_threes_count() {
    let position = position("diagram-4.txt");
    let found = search(&Claim::new(&position, Color::Black), WITH_THREES);
    let first: BTreeSet<&[Square]> =
        found.tree.children(None).map(|i| found.tree.nodes[i].gain.as_slice()).collect();
    assert_eq!(first.len(), 4, "no other threats at depth 1");
    assert!(found.tree.nodes.iter().all(|n| n.kind != ThreatKind::Combination));
    assert!(accepted(&found) > 0);
}

#[test]
fn trees_print_as_tables() {
    let position = position("diagram-4.txt");
    let found = search(&Claim::new(&position, Color::Black), FOURS_ONLY);
    let table = found.tree.table(position.game());
    let head: Vec<&str> = table.lines().take(4).collect();
    assert_eq!(
        head,
        [
            "Depth  Type            Gain      Cost",
            "1      Four            H10       H9",
            " 2     Combination     J10       I9",
            " 2     Combination     I9        J10",
        ]
    );
}

/// A position of Connect6, Black to move.
fn connect6(black: &str, white: &str) -> Position {
    let squares = |text: &str| -> Vec<Square> {
        text.split(' ').map(|name| Game::CONNECT6.parse_square(name).unwrap()).collect()
    };
    Position::set_up(Game::CONNECT6, &squares(black), &squares(white), Color::Black, 2).unwrap()
}

/// The elements of a sequence: stones and threats.
fn elements(found: &Found, sequence: &Sequence) -> Vec<(String, u32)> {
    let nodes = sequence.nodes.iter().map(|&i| &found.tree.nodes[i]);
    nodes
        .map(|node| match node.kind {
            ThreatKind::Threats(n) | ThreatKind::Overload(n) => {
                (Game::CONNECT6.square_names(&node.gain), n)
            }
            kind => panic!("{kind} is no element"),
        })
        .collect()
}

/// Three lines of Black cross at J10, J13 and M13. Row 13 is open at both ends.
const CROSSING: [&str; 2] =
    ["G10 H10 I10 J8 J9 N14 O15 K13 L13", "F10 J7 J14 I9 P16 H11 K8 I11 K12"];

fn with_several_stones(position: &Position) -> Found {
    search(&Claim::new(position, Color::Black), FOURS_ONLY)
}

/// Corollary 3, {(X&Y, 2, ⊥), (Z, 3, ⊥)}.
#[test]
fn a_double_threat_and_three_threats_are_a_wt0_sequence() {
    let found = with_several_stones(&connect6(CROSSING[0], CROSSING[1]));
    let sequence = found.proved().unwrap();
    assert_eq!(accepted(&found), found.sequences.len());
    let elements = elements(&found, sequence);
    assert_eq!(elements.iter().map(|(_, n)| *n).collect::<Vec<_>>(), [2, 3]);
    assert_eq!((elements[0].0.as_str(), sequence.fillers), ("J10 J13", 0));
}

/// Corollary 3, {(X, 1, ⊥), (Y, 1, ⊥), (Z, 3, ⊥)}: each of three rows holds a single threat, and
/// their gain squares lie on one column. It takes a combination of independent threats.
#[test]
fn two_single_threats_and_three_threats_are_a_wt0_sequence() {
    let black = "J9 M11 N11 O11 E10 F10 G10 E12 F12 G12";
    let white = "D10 D12 P11 E11 F11 G11 F13 K8";
    let found = with_several_stones(&connect6(black, white));
    let sequence = found.proved().unwrap();
    assert_eq!(accepted(&found), 1);
    let singles = [("J10".into(), 1), ("J11".into(), 1), ("J12".into(), 3)];
    assert_eq!(elements(&found, sequence), singles);
    assert_eq!(sequence.fillers, 0);
}

/// Corollary 4: J10 adds one threat only, so that the sequence wins if and only if there is a
/// single threat elsewhere to go with it.
#[test]
fn a_wt1_sequence_wins_with_an_independent_single_threat() {
    let white = format!("{} G13 N13 A2", CROSSING[1]);
    let lacking = with_several_stones(&connect6(CROSSING[0], &white));
    assert!(lacking.complete && lacking.proved().is_none());
    let first = &lacking.sequences[0];
    assert_eq!(elements(&lacking, first), [("J10".into(), 1), ("J13 M13".into(), 3)]);
    assert_eq!((first.fillers, moves(first, Game::CONNECT6).as_str()), (1, "J10 / J13 M13"));

    let black = format!("{} B2 C2 D2", CROSSING[0]);
    let found = with_several_stones(&connect6(&black, &white));
    assert_eq!((found.proved().is_some(), accepted(&found)), (true, 1));
}

/// Principle 2: a sequence that cannot withstand the counter-attack is a hint, not a win.
#[test]
fn a_sequence_refuted_by_a_counter_attack_is_not_proved() {
    let white = format!("{} B18 C18 D18 E18", CROSSING[1]);
    let found = with_several_stones(&connect6(CROSSING[0], &white));
    assert!(!found.sequences.is_empty() && found.proved().is_none());

    let position = position("diagram-3b.txt");
    let squares = |color| position.squares_of(color).collect::<Vec<_>>();
    let mut white = squares(Color::White);
    white.retain(|s| s.x != 2);
    let row = ["C4", "C5", "C6", "C7"].map(|name| position.game().parse_square(name).unwrap());
    white.extend(row);
    let black = squares(Color::Black);
    let position = Position::set_up(position.game(), &black, &white, Color::Black, 1).unwrap();
    let found = search(&Claim::new(&position, Color::Black), FOURS_ONLY);
    // C8 stays open as long as fours are answered one by one; only fours all the way win.
    assert_eq!(moves(&found.sequences[0], position.game()), "E15 / I11 / I8");
    assert!(found.proved().is_none());
}

#[test]
fn hints_are_given_to_a_side_that_is_not_to_move() {
    let position = connect6(CROSSING[0], CROSSING[1]);
    let squares = |color| position.squares_of(color).collect::<Vec<_>>();
    let (black, white) = (squares(Color::Black), squares(Color::White));
    let position = Position::set_up(Game::CONNECT6, &black, &white, Color::White, 2).unwrap();
    let found = with_several_stones(&position);
    assert!(!found.sequences.is_empty() && found.proved().is_none());
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    /// A position with its stones in one part of the board, Attacker (Black) having more of them
    /// now and then, so that there are threats.
    fn position(&mut self, game: Game) -> Option<Position> {
        let (cols, rows) = match game.is_unbounded() {
            true => (9, 9),
            false => (u64::from(game.cols()), u64::from(game.rows())),
        };
        let side = self.below(6) + 5;
        let (width, height) = (side.min(cols), side.min(rows));
        let corner = (self.below(cols - width + 1), self.below(rows - height + 1));
        let mut sides = [Vec::new(), Vec::new()];
        let mut taken = BTreeSet::new();
        let stones = self.below(width * height / 2 + 1) + 4;
        let white_weight = self.below(4) + 1;
        for _ in 0..stones {
            let x = corner.0 + self.below(width);
            let y = corner.1 + self.below(height);
            let square = Square::new(x as i32, y as i32);
            if taken.insert(square) {
                sides[usize::from(self.below(5) < white_weight)].push(square);
            }
        }
        let left = 1 + self.below(u64::from(game.p())) as u32;
        Position::set_up(game, &sides[0], &sides[1], Color::Black, left)
            .ok()
            .filter(|position| position.winner().is_none())
    }
}

/// The counts of many positions.
#[derive(Debug, Default)]
struct Tally {
    /// Positions with a proof.
    proved: u64,
    /// Positions with potential winning sequences that are all unproved.
    unproved: u64,
}

/// Searches random positions of a game; every certificate must be accepted.
fn try_random_positions(game: &str, count: u64, limits: Limits) -> Tally {
    let game: Game = game.parse().unwrap();
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ count);
    let mut tally = Tally::default();
    for _ in 0..count {
        let Some(position) = random.position(game) else { continue };
        let found = search(&Claim::new(&position, Color::Black), limits);
        assert!(found.nodes <= limits.nodes_max);
        match accepted(&found) {
            0 => tally.unproved += u64::from(!found.sequences.is_empty()),
            _ => tally.proved += 1,
        }
    }
    println!("{game} {limits:?} {tally:?}");
    tally
}

#[test]
fn proofs_with_one_stone_a_move_are_accepted() {
    for (game, count) in [
        ("Connect(15,15,5,1,1)", 600),
        ("Connect(15,15,5,1,1,exact)", 600),
        ("Connect(7,7,4,1,1)", 500),
        ("Connect(8,6,5,1,1)", 500),
        ("Connect(6,6,3,1,1)", 200),
        ("Connect(5,1,1)", 200),
    ] {
        let count = count / effort(4, 1);
        for limits in [WITH_THREES, FOURS_ONLY] {
            let tally = try_random_positions(game, count, Limits { nodes_max: 300, ..limits });
            assert!(tally.proved > count / 8 && tally.unproved > 0);
        }
    }
}

#[test]
fn proofs_with_several_stones_a_move_are_accepted() {
    for (game, count) in [
        ("Connect(19,19,6,2,1)", 800),
        ("Connect(19,19,6,2,1,exact)", 400),
        ("Connect(8,8,5,2,1)", 400),
        ("Connect(9,7,6,2,1)", 400),
        ("Connect(9,9,7,3,1)", 200),
        ("Connect(6,2,1)", 200),
    ] {
        let count = count / effort(2, 1);
        let tally = try_random_positions(game, count, Limits { nodes_max: 200, threes: false });
        assert!(tally.proved > count / 12);
    }
}

#[test]
fn small_and_odd_games_are_searched_for_both_sides() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut proved = 0;
    for _ in 0..3000 {
        let mut number = |from: u32, to: u32| from + random.below(u64::from(to - from) + 1) as u32;
        let (cols, rows, k) = (number(1, 7), number(1, 7), number(1, 5));
        let (p, q, exact) = (number(1, 4), number(1, 3), number(0, 1) == 1);
        let Ok(game) = Game::new(cols, rows, k, p, q, exact) else { continue };
        let Some(position) = random.position(game) else { continue };
        for attacker in [Color::Black, Color::White] {
            let found =
                search(&Claim::new(&position, attacker), Limits { nodes_max: 100, threes: true });
            assert!(found.nodes <= 100);
            proved += accepted(&found);
        }
    }
    assert!(proved > 300, "{proved}");
}

/// All sequences of fours, tried one after the other: the measure for threat-space search.
struct Fours {
    lines: Vec<[usize; 5]>,
    /// 1 for Attacker, 2 for Defender.
    stones: [u8; 225],
    nodes: u64,
}

impl Fours {
    fn new(position: &Position) -> Fours {
        let index = |s: Square| (s.y * 15 + s.x) as usize;
        let mut lines = BTreeSet::new();
        for segment in position.game().squares().flat_map(|s| Segment::through(position.game(), s))
        {
            let cells: Vec<usize> = segment.squares(position.game()).map(index).collect();
            lines.insert(<[usize; 5]>::try_from(cells).unwrap());
        }
        let mut stones = [0; 225];
        for (square, color) in position.stones() {
            stones[index(square)] = if color == Color::Black { 1 } else { 2 };
        }
        Fours { lines: lines.into_iter().collect(), stones, nodes: 0 }
    }

    /// The empty squares of each segment with stones of one side only and this number missing.
    fn open<const N: usize>(&self, side: u8) -> Vec<[usize; N]> {
        let empties = |line: &&[usize; 5]| -> Option<[usize; N]> {
            let stones = line.map(|c| self.stones[c]);
            let own = stones.iter().filter(|&&s| s == side).count();
            let empty: Vec<usize> = line.iter().copied().filter(|&c| self.stones[c] == 0).collect();
            (own + empty.len() == 5).then(|| empty.try_into().ok()).flatten()
        };
        self.lines.iter().filter_map(|line| empties(&line)).collect()
    }

    /// Whether Attacker wins by fours; `None` after too many nodes.
    fn win(&mut self) -> Option<bool> {
        self.nodes += 1;
        if self.nodes > 3_000 {
            return None;
        }
        if !self.open::<1>(1).is_empty() {
            return Some(true);
        }
        let blocks: BTreeSet<usize> = self.open::<1>(2).iter().map(|c| c[0]).collect();
        for [a, b] in self.open::<2>(1) {
            for (gain, cost) in [(a, b), (b, a)] {
                if blocks.iter().any(|&block| block != gain) {
                    continue;
                }
                (self.stones[gain], self.stones[cost]) = (1, 2);
                let won = self.win();
                (self.stones[gain], self.stones[cost]) = (0, 0);
                if won != Some(false) {
                    return won;
                }
            }
        }
        Some(false)
    }
}

#[test]
fn most_wins_by_fours_are_found_with_fewer_nodes() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let game: Game = "Connect(15,15,5,1,1)".parse().unwrap();
    let (mut wins, mut found_wins, mut nodes, mut found_nodes) = (0, 0, 0, 0);
    for _ in 0..1500 {
        let Some(position) = random.position(game) else { continue };
        let mut fours = Fours::new(&position);
        if !fours.open::<1>(1).is_empty() {
            continue;
        }
        let won = fours.win();
        let found = search(&Claim::new(&position, Color::Black), FOURS_ONLY);
        nodes += fours.nodes;
        found_nodes += found.nodes;
        if won == Some(true) {
            wins += 1;
            found_wins += u64::from(found.proved().is_some());
        }
    }
    println!("{found_wins} of {wins} wins, {found_nodes} and {nodes} nodes");
    assert!(wins > 200 && found_wins * 100 >= wins * 98 && found_nodes * 2 < nodes);
}
