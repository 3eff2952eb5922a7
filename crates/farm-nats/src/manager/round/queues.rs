//! The streams and queues of a manager: made at its start, looked after, and made anew under
//! another name when a worker is to be kept from them.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::super::super::nats;
use super::super::Inner;
use super::{Round, is_connected};

/// After the server refused, it is asked again in so long.
const MAKE_AGAIN: Duration = Duration::from_millis(500);

/// Why the queues are looked after.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// There is a connection, for the first time or again.
    Connected,
    /// Nothing in particular: they should be there.
    Routine,
    /// They get another name.
    Renewal,
}

impl Round {
    /// Makes the queues again, however long the server takes; then it says so.
    pub(super) fn look_after(&mut self, reason: Reason) {
        self.looked_after = Instant::now();
        let (client, id, queue) = (self.client.clone(), self.id, self.machine.queue());
        let (connection, inner) = (self.line.connection.clone(), self.line.inner.clone());
        tokio::spawn(async move {
            let mut is_told = false;
            loop {
                if reason == Reason::Renewal {
                    nats::remove_job_consumers(&client, &connection, id).await;
                    // What stays is acknowledged when somebody begins it.
                    let _purged = nats::purge_jobs(&client, &connection, id).await;
                }
                let made = match nats::make_streams(&client, &connection).await {
                    Ok(was_missing) => {
                        let made = nats::make_consumers(&client, &connection, id, queue).await;
                        made.map(|()| was_missing)
                    }
                    Err(failure) => Err(failure),
                };
                match made {
                    Ok(was_missing) => {
                        // A server that was restarted has forgotten what it had in memory.
                        let was_missing = was_missing && reason == Reason::Routine;
                        return drop(inner.send(Inner::Ready { queue, was_missing }));
                    }
                    // Another break: whoever hears of its end looks after the queues.
                    Err(_) if !is_connected(&client) => return,
                    Err(failure) => {
                        let problem = Inner::Problem(failure.message().to_string());
                        if inner.is_closed() || (!is_told && inner.send(problem).is_err()) {
                            return;
                        }
                        is_told = true;
                    }
                }
                sleep(MAKE_AGAIN).await;
            }
        });
    }
}
