//! The database panics on some damaged files. Here such a panic becomes an error of this crate, and
//! prints nothing on the terminal.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether this thread is in a call to the database.
    static ASKING: Cell<bool> = const { Cell::new(false) };
}

/// Calls the database; `Err` with the reason if it panics. Its locks are poisoned then, so every
/// further call fails, too.
pub(crate) fn guarded<T>(ask: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !ASKING.get() {
                usual(info);
            }
        }));
    });
    let before = ASKING.replace(true);
    let answer = panic::catch_unwind(AssertUnwindSafe(ask));
    ASKING.set(before);
    answer.map_err(|reason| {
        let text = reason.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| reason.downcast_ref::<&str>().copied()).unwrap_or("");
        let line = text.lines().next().unwrap_or_default();
        format!("its structure is not as it should be ({line})")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_becomes_an_error() {
        assert_eq!(guarded(|| 7), Ok(7));
        let failed = guarded(|| assert_eq!(1 + 1, 3, "arithmetic")).unwrap_err();
        assert!(failed.contains("arithmetic"), "{failed}");
    }
}
