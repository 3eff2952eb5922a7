//! Messages about changes, with sequence numbers. The hub keeps the last ones, so that a connection
//! that was interrupted for a moment misses nothing.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::Notify;

/// The number of messages that the hub keeps.
const BACKLOG_MAX: usize = 4_096;

/// A message, numbered from 1.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) seq: u64,
    /// The whole message as JSON.
    pub(crate) text: Arc<str>,
}

/// Publishes messages, and hands them to the live connections.
#[derive(Debug)]
pub(crate) struct Hub {
    epoch: String,
    backlog: Mutex<Backlog>,
    /// Wakes the connections that wait for the next message.
    published: Notify,
}

#[derive(Debug, Default)]
struct Backlog {
    last: u64,
    messages: VecDeque<Message>,
    closed: bool,
}

/// The messages after the last one that a connection has seen.
#[derive(Debug)]
pub(crate) enum Unseen {
    /// The messages after it, perhaps none.
    Messages(Vec<Message>),
    /// Some are no longer kept, so that the client must load everything again. The number of the
    /// last message.
    Dropped(u64),
}

impl Hub {
    /// A hub; `epoch` distinguishes its numbers from those of earlier runs of the server.
    pub(crate) fn new(epoch: String) -> Hub {
        Hub { epoch, backlog: Mutex::default(), published: Notify::new() }
    }

    pub(crate) fn epoch(&self) -> &str {
        &self.epoch
    }

    /// Publishes a message, and adds its number to it.
    pub(crate) fn publish(&self, mut message: Value) {
        {
            let mut backlog = self.lock();
            backlog.last += 1;
            let seq = backlog.last;
            message["seq"] = seq.into();
            backlog.messages.push_back(Message { seq, text: message.to_string().into() });
            if backlog.messages.len() > BACKLOG_MAX {
                backlog.messages.pop_front();
            }
        }
        self.published.notify_waiters();
    }

    /// The number of the last message.
    pub(crate) fn last(&self) -> u64 {
        self.lock().last
    }

    /// The messages after a number.
    pub(crate) fn after(&self, seen: u64) -> Unseen {
        let backlog = self.lock();
        let first = backlog.messages.front().map_or(backlog.last + 1, |message| message.seq);
        // A number beyond the last may be as large as any.
        if seen > backlog.last || seen + 1 < first {
            return Unseen::Dropped(backlog.last);
        }
        Unseen::Messages(backlog.messages.iter().filter(|m| m.seq > seen).cloned().collect())
    }

    /// Waits until there is a message after a number; false when the hub is closed.
    pub(crate) async fn wait(&self, seen: u64) -> bool {
        loop {
            let published = self.published.notified();
            tokio::pin!(published);
            // Registered before the look at the backlog, so that no message in between is missed.
            published.as_mut().enable();
            {
                let backlog = self.lock();
                if backlog.closed {
                    return false;
                }
                if backlog.last > seen {
                    return true;
                }
            }
            published.await;
        }
    }

    /// Ends all waiting: the server stops.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.published.notify_waiters();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Backlog> {
        self.backlog.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn numbers(unseen: Unseen) -> Option<Vec<u64>> {
        match unseen {
            Unseen::Messages(messages) => Some(messages.iter().map(|m| m.seq).collect()),
            Unseen::Dropped(_) => None,
        }
    }

    #[test]
    fn a_connection_gets_what_it_has_not_seen_and_learns_when_that_is_gone() {
        let hub = Hub::new("now".to_string());
        assert_eq!(numbers(hub.after(0)), Some(vec![]));
        for n in 0..3 {
            hub.publish(json!({ "n": n }));
        }
        assert_eq!(numbers(hub.after(0)), Some(vec![1, 2, 3]));
        assert_eq!(numbers(hub.after(2)), Some(vec![3]));
        assert_eq!(numbers(hub.after(3)), Some(vec![]));
        // A number of another epoch.
        assert_eq!(numbers(hub.after(4)), None);
        assert_eq!(numbers(hub.after(u64::MAX)), None);
        for n in 0..BACKLOG_MAX {
            hub.publish(json!({ "n": n }));
        }
        assert_eq!(numbers(hub.after(2)), None);
        assert_eq!(numbers(hub.after(3)).map(|n| n.len()), Some(BACKLOG_MAX));
    }
}
