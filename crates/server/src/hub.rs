//! What happens, told to everybody who listens: messages with sequence numbers, the last ones kept,
//! so that who was away for a moment misses nothing.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::Notify;

/// So many messages can be asked for again.
const KEPT: usize = 4_096;

/// A message, numbered from 1.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) seq: u64,
    /// The whole message as JSON.
    pub(crate) text: Arc<str>,
}

/// Where messages are left and picked up.
#[derive(Debug)]
pub(crate) struct Hub {
    epoch: String,
    kept: Mutex<Kept>,
    /// Wakes those who wait for the next message.
    news: Notify,
}

#[derive(Debug, Default)]
struct Kept {
    last: u64,
    messages: VecDeque<Message>,
    closed: bool,
}

/// What a listener gets who has seen everything up to some number.
#[derive(Debug)]
pub(crate) enum Missed {
    /// The messages after it, perhaps none.
    These(Vec<Message>),
    /// They are not kept any more: ask for everything again. The number of the last message.
    TooMuch(u64),
}

impl Hub {
    /// A hub whose numbers are told apart from those of earlier ones by `epoch`.
    pub(crate) fn new(epoch: String) -> Hub {
        Hub { epoch, kept: Mutex::default(), news: Notify::new() }
    }

    pub(crate) fn epoch(&self) -> &str {
        &self.epoch
    }

    /// Tells everybody; the number is put into the message.
    pub(crate) fn publish(&self, mut message: Value) {
        {
            let mut kept = self.lock();
            kept.last += 1;
            let seq = kept.last;
            message["seq"] = seq.into();
            kept.messages.push_back(Message { seq, text: message.to_string().into() });
            if kept.messages.len() > KEPT {
                kept.messages.pop_front();
            }
        }
        self.news.notify_waiters();
    }

    /// The number of the last message.
    pub(crate) fn last(&self) -> u64 {
        self.lock().last
    }

    /// What came after a number.
    pub(crate) fn after(&self, seen: u64) -> Missed {
        let kept = self.lock();
        let first = kept.messages.front().map_or(kept.last + 1, |message| message.seq);
        // A number beyond the last may be as large as any.
        if seen > kept.last || seen + 1 < first {
            return Missed::TooMuch(kept.last);
        }
        Missed::These(kept.messages.iter().filter(|m| m.seq > seen).cloned().collect())
    }

    /// Waits until there is something after a number. `false`: nothing will come any more.
    pub(crate) async fn wait(&self, seen: u64) -> bool {
        loop {
            let news = self.news.notified();
            tokio::pin!(news);
            // Registered before looking: a message in between is not missed.
            news.as_mut().enable();
            {
                let kept = self.lock();
                if kept.closed {
                    return false;
                }
                if kept.last > seen {
                    return true;
                }
            }
            news.await;
        }
    }

    /// Ends all waiting: the server stops.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.news.notify_waiters();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn numbers(missed: Missed) -> Option<Vec<u64>> {
        match missed {
            Missed::These(messages) => Some(messages.iter().map(|m| m.seq).collect()),
            Missed::TooMuch(_) => None,
        }
    }

    #[test]
    fn a_listener_gets_what_it_has_not_seen_and_is_told_when_that_is_gone() {
        let hub = Hub::new("now".to_string());
        assert_eq!(numbers(hub.after(0)), Some(vec![]));
        for n in 0..3 {
            hub.publish(json!({ "n": n }));
        }
        assert_eq!(numbers(hub.after(0)), Some(vec![1, 2, 3]));
        assert_eq!(numbers(hub.after(2)), Some(vec![3]));
        assert_eq!(numbers(hub.after(3)), Some(vec![]));
        // A number of another time.
        assert_eq!(numbers(hub.after(4)), None);
        assert_eq!(numbers(hub.after(u64::MAX)), None);
        for n in 0..KEPT {
            hub.publish(json!({ "n": n }));
        }
        assert_eq!(numbers(hub.after(2)), None);
        assert_eq!(numbers(hub.after(3)).map(|n| n.len()), Some(KEPT));
    }
}
