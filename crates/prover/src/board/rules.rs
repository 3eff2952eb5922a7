//! The numbers that the hot loops depend on, known to the compiler where it pays.
//!
//! The search is generic over [`Rules`]: for Connect6 and free-style Go-Moku `k` and `p` are
//! constants, so that comparisons of window counts shrink to two or three instructions; every other
//! game runs the same code with numbers read at run time.

use sixproof_game::Game;

/// Binary digits that hold any count of stones in a window (`K_MAX` is 19).
pub const PLANES_MAX: usize = 5;

/// What a game of the family looks like to the search.
pub trait Rules: Copy + Send + Sync {
    /// Binary digits needed to count to k.
    const PLANES: usize;
    /// Stones in a row that win.
    fn k(self) -> u32;
    /// Stones a move.
    fn p(self) -> u32;
    /// Whether a line of more than k stones does not win.
    fn exact(self) -> bool;
}

/// Evaluates an expression with the [`Rules`](crate::board::Rules) of a game: constants where a
/// type has them, else numbers. This is the one place that chooses.
///
/// ```
/// use sixproof_prover::board::Rules;
/// use sixproof_prover::with_rules;
///
/// fn stones_of_a_move(rules: impl Rules) -> u32 {
///     rules.p()
/// }
///
/// let game = sixproof_game::Game::CONNECT6;
/// assert_eq!(with_rules!(game, |rules| stones_of_a_move(rules)), 2);
/// ```
#[macro_export]
macro_rules! with_rules {
    ($game:expr, |$rules:ident| $work:expr) => {{
        let game = $game;
        match (game.k(), game.p(), game.exact()) {
            (6, 2, false) => {
                let $rules = $crate::board::Connect6;
                $work
            }
            (5, 1, false) => {
                let $rules = $crate::board::GoMoku;
                $work
            }
            _ => {
                let $rules = $crate::board::General::new(game);
                $work
            }
        }
    }};
}

/// Six in a row, two stones a move.
#[derive(Clone, Copy, Debug)]
pub struct Connect6;

impl Rules for Connect6 {
    const PLANES: usize = 3;
    fn k(self) -> u32 {
        6
    }
    fn p(self) -> u32 {
        2
    }
    fn exact(self) -> bool {
        false
    }
}

/// Five or more in a row, one stone a move.
#[derive(Clone, Copy, Debug)]
pub struct GoMoku;

impl Rules for GoMoku {
    const PLANES: usize = 3;
    fn k(self) -> u32 {
        5
    }
    fn p(self) -> u32 {
        1
    }
    fn exact(self) -> bool {
        false
    }
}

/// Any other game.
#[derive(Clone, Copy, Debug)]
pub struct General {
    k: u32,
    p: u32,
    exact: bool,
}

impl General {
    /// The rules of `game`.
    pub fn new(game: Game) -> General {
        General { k: game.k(), p: game.p(), exact: game.exact() }
    }
}

impl Rules for General {
    const PLANES: usize = PLANES_MAX;
    fn k(self) -> u32 {
        self.k
    }
    fn p(self) -> u32 {
        self.p
    }
    fn exact(self) -> bool {
        self.exact
    }
}
