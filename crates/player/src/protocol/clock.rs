//! The time of a game as a controller sends it, and what is left of it.

use std::time::Duration;

use sixproof_game::Color;

use crate::{Control, Limits};

/// The time that "as fast as possible" stands for.
const AT_ONCE: Duration = Duration::from_millis(50);

/// The clocks of both sides. They do not measure time: the controller or the caller reports what
/// was spent.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    /// The control until the controller sends another.
    usual: Control,
    /// The controller's limit for each move.
    turn: Option<Duration>,
    /// The controller's limit for the game.
    total: Option<Duration>,
    sides: [Side; 2],
}

/// The clock of one side.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    /// The time that is left of the game.
    left: Duration,
    /// The time for each stone, once nothing is left.
    overtime: Option<Duration>,
}

impl Clock {
    pub(crate) fn new(usual: Control) -> Clock {
        let mut clock = Clock { usual, turn: None, total: None, sides: [Side::default(); 2] };
        clock.restart();
        clock
    }

    /// A new game begins.
    pub(crate) fn restart(&mut self) {
        let left = self.game().map_or(Duration::ZERO, |(total, _)| total);
        self.sides.iter_mut().for_each(|side| side.left = left);
    }

    /// Total and increment of a game that is limited as a whole.
    fn game(&self) -> Option<(Duration, Duration)> {
        match (self.total, self.usual) {
            (Some(total), _) => Some((total, Duration::ZERO)),
            (None, Control::Game { total, increment }) if self.turn.is_none() => {
                Some((total, increment))
            }
            _ => None,
        }
    }

    /// Sets the time for each move from now on; zero is a move at once.
    pub(crate) fn set_turn(&mut self, time: Duration) {
        self.turn = Some(time.max(AT_ONCE));
    }

    /// Sets the time for the game from now on, and for each stone after that; `None` is no limit.
    pub(crate) fn set_game(&mut self, total: Option<Duration>, overtime: Option<Duration>) {
        self.total = total;
        self.sides.iter_mut().for_each(|side| side.overtime = overtime);
        self.restart();
    }

    /// Sets the time that one side has left of the game.
    pub(crate) fn set_left(&mut self, color: Color, left: Duration) {
        self.total = Some(self.total.unwrap_or(left));
        self.sides[color as usize].left = left;
    }

    /// Sets a side to overtime: nothing of the game is left, but this time for each stone.
    pub(crate) fn set_overtime(&mut self, color: Color, stone: Duration) {
        self.set_left(color, Duration::ZERO);
        self.sides[color as usize].overtime = Some(stone);
    }

    /// Takes the time of a side's move off its clock.
    pub(crate) fn spend(&mut self, color: Color, spent: Duration) {
        let increment = self.game().map_or(Duration::ZERO, |(_, increment)| increment);
        let left = &mut self.sides[color as usize].left;
        *left = left.saturating_sub(spent).saturating_add(increment);
    }

    /// The limits of a side's next move of this number of stones.
    pub(crate) fn limits(&self, color: Color, stones: u32) -> Limits {
        let side = self.sides[color as usize];
        let a_move = |time: Duration| Control::Move(time).limits(time);
        let game = self.game().map(|(total, increment)| {
            let limits = Control::Game { total, increment }.limits(side.left);
            match side.overtime {
                // The larger one: what is left of the game, or the overtime after it.
                Some(stone) => both(limits, a_move(stone.saturating_mul(stones)), Duration::max),
                None => limits,
            }
        });
        match (self.turn.map(a_move), game, self.usual) {
            (Some(turn), Some(game), _) => both(turn, game, Duration::min),
            (Some(limits), None, _) | (None, Some(limits), _) => limits,
            (None, None, Control::Move(time)) => a_move(time),
            (None, None, Control::Game { .. }) => unreachable!("then the game is limited"),
        }
    }
}

/// Two limits of time as one.
fn both(a: Limits, b: Limits, choose: fn(Duration, Duration) -> Duration) -> Limits {
    let one = |a: Option<Duration>, b: Option<Duration>| Some(choose(a?, b?));
    Limits { soft: one(a.soft, b.soft), hard: one(a.hard, b.hard), ..Limits::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn hard(clock: &Clock) -> Duration {
        let limits = clock.limits(Color::Black, 1);
        assert!(limits.soft <= limits.hard);
        limits.hard.unwrap()
    }

    #[test]
    fn what_is_set_wins_over_what_is_usual() {
        let mut clock = Clock::new(Control::Move(5 * SECOND));
        let usual = hard(&clock);
        assert!(4 * SECOND < usual && usual < 5 * SECOND);
        clock.set_turn(SECOND);
        assert!(hard(&clock) < SECOND);
        clock.set_turn(Duration::ZERO);
        assert!(Duration::ZERO < hard(&clock) && hard(&clock) < AT_ONCE);
        clock.set_turn(60 * SECOND);
        clock.set_game(Some(10 * SECOND), None);
        assert!(hard(&clock) <= 5 * SECOND);
        clock.set_game(None, None);
        assert!(hard(&clock) > 50 * SECOND);
    }

    #[test]
    fn a_game_leaves_less_with_every_move_and_all_in_the_next() {
        let increment = SECOND;
        let mut clock = Clock::new(Control::Game { total: 600 * SECOND, increment });
        let first = hard(&clock);
        clock.spend(Color::Black, 300 * SECOND);
        assert!(hard(&clock) < first);
        assert_eq!(clock.limits(Color::White, 1).hard, Some(first), "each side has its clock");
        clock.restart();
        assert_eq!(hard(&clock), first);
        clock.spend(Color::Black, 9999 * SECOND);
        assert_eq!(clock.sides[0].left, increment);
    }

    #[test]
    fn overtime_is_for_each_stone_when_the_game_has_none_left() {
        let mut clock = Clock::new(Control::Move(SECOND));
        clock.set_game(Some(3600 * SECOND), Some(10 * SECOND));
        assert!(hard(&clock) > 100 * SECOND);
        clock.spend(Color::Black, 3600 * SECOND);
        assert!(9 * SECOND < hard(&clock) && hard(&clock) < 10 * SECOND);
        let two = clock.limits(Color::Black, 2).hard.unwrap();
        assert!(18 * SECOND < two && two < 20 * SECOND);
        clock.set_overtime(Color::Black, 2 * SECOND);
        assert!(hard(&clock) < 2 * SECOND);
        clock.set_left(Color::White, 100 * SECOND);
        assert!(clock.limits(Color::White, 1).hard > Some(2 * SECOND));
    }
}
