//! The evaluation of a half-move (Liu, section 3.2.2).
//!
//! A stone has influence along four lines, up to k - 1 squares in each direction, to a stone of the
//! other side or the border. An empty square on the way counts ε = 2, an own stone at distance n
//! counts w_n; the squares of a line are multiplied, the four lines added, and the sum is weighted
//! by the number of lines without a stone of the other side. Algorithm 1 of the thesis adds a line
//! twice and does not begin anew with the next; the formula and its example in figure 3.7 do not,
//! and are followed here.
//!
//! Everything but the last factor is a power of two, so values are whole numbers: E in units of
//! 10^-11, the last digit of the weights.

use sixproof_prover::board::{Board, General, Rules, Side, Sq};

/// d_i for i = 0 … 4 lines without a stone of the other side, in units of 10^-11. The thesis does
/// not define d_0.
const DEGREE: [u128; 5] =
    [100_000_000_000, 100_000_000_000, 100_000_181_862, 100_000_363_725, 100_000_726_562];
/// The largest power of two that a line counts, so that four of them can be weighted. A line of
/// Connect6 without a winner comes nowhere near it.
const EXPONENT_MAX: u32 = 88;

/// E of a stone of `side` on an empty square, in units of 10^-11.
pub(super) fn half_move(board: &Board<General>, side: Side, square: Sq) -> u128 {
    let crossing = &board.geometry.crossings[usize::from(square)];
    let mut sum = 0;
    let mut free = 0;
    for direction in 0..4 {
        let number = usize::from(crossing.line[direction]);
        let squares = board.geometry.lines[number].squares;
        let of = board.line(number).of;
        let (own, other) = (of[side as usize], of[side.other() as usize]);
        let (mut exponent, mut met) = (0, false);
        for step in [-1, 1] {
            for n in 1..board.rules.k() as i32 {
                let at = i32::from(crossing.position[direction]) + step * n;
                let bit = if (0..64).contains(&at) { 1u64 << at } else { 0 };
                if squares & bit == 0 {
                    break;
                }
                if other & bit != 0 {
                    met = true;
                    break;
                }
                exponent += if own & bit != 0 { weight(board.rules.k(), n as u32) } else { 1 };
            }
        }
        sum += 1u128 << exponent.min(EXPONENT_MAX);
        free += usize::from(!met);
    }
    DEGREE[free] * sum
}

/// The exponent of w_n. The thesis sets w_3 = ε^10, a whole line of empty squares, and halves from
/// one n to the next: 2^12 … 2^8 for k = 6. Other games have the same law.
fn weight(k: u32, n: u32) -> u32 {
    (2 * (k - 1) + 3).saturating_sub(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_game::Game;

    /// A row of Connect6 in the middle of the board, `X` of Attacker and `O` of Defender.
    fn row(stones: &str) -> Board<General> {
        let mut board = Board::new(General::new(Game::CONNECT6), 19, 19);
        for (x, stone) in stones.chars().enumerate() {
            match stone {
                'X' => board.place(Side::Attacker, 9 * 19 + x as Sq),
                'O' => board.place(Side::Defender, 9 * 19 + x as Sq),
                _ => {}
            }
        }
        board
    }

    #[test]
    fn the_example_of_figure_3_7_has_its_number() {
        // O at distance 3 on one side, own stones at distances 2 and 3 on the other.
        let board = row("......O....XX......");
        let lines = 4 * 2 * (1 << 11) * (1 << 10) * 2 * 2 + 3 * (1 << 10);
        assert_eq!(lines, 67_111_936);
        let value = half_move(&board, Side::Attacker, 9 * 19 + 9);
        assert_eq!(value, 100_000_363_725 * lines);
        // 1.00000363725 x 67,111,936
        assert_eq!(value, 6_711_218_010_288_921_600);
    }

    #[test]
    fn weights_of_connect6_are_those_of_the_thesis() {
        assert_eq!((1..=5).map(|n| weight(6, n)).collect::<Vec<_>>(), [12, 11, 10, 9, 8]);
    }

    #[test]
    fn an_empty_line_is_worth_no_more_than_one_with_a_stone() {
        let lone = half_move(&row(""), Side::Attacker, 9 * 19 + 9);
        let near = half_move(&row("..............X...."), Side::Attacker, 9 * 19 + 9);
        assert!(lone < near);
    }

    #[test]
    fn connected_stones_come_before_free_directions() {
        // Figure 3.8: the same live four, with more and more room.
        let room = ["...O.XXX...O.......", "..O..XXX...O.......", ".....XXX..........."];
        let values = room.map(|line| half_move(&row(line), Side::Attacker, 9 * 19 + 8));
        assert!(values.is_sorted() && values[0] < values[2], "{values:?}");
    }

    #[test]
    fn the_border_ends_influence_but_is_no_stone() {
        let board = row("");
        let corner = half_move(&board, Side::Attacker, 0);
        assert_eq!(corner, 100_000_726_562 * (3 * 32 + 1));
    }
}
