//! The streams and queues of a manager: creates them at its start, checks them regularly, and
//! replaces the queues under another name when the manager drops a worker.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::super::super::nats;
use super::super::LoopEvent;
use super::{ManagerLoop, is_connected};

/// Interval of the attempts after an error of the server.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// Why the loop checks the queues.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// There is a connection, for the first time or again.
    Connected,
    /// A regular check.
    Routine,
    /// The queues get another name.
    Renewal,
}

impl ManagerLoop {
    /// Creates missing queues in a task, which retries until it succeeds and then reports.
    pub(super) fn maintain_queues(&mut self, reason: Reason) {
        self.queues_checked = Instant::now();
        let (client, id, queue) = (self.client.clone(), self.id, self.machine.queue());
        let (connection, events) = (self.channels.connection.clone(), self.channels.events.clone());
        tokio::spawn(async move {
            let mut is_reported = false;
            loop {
                if reason == Reason::Renewal {
                    nats::remove_job_consumers(&client, &connection, id).await;
                    // A worker that begins a remaining job receives a cancellation.
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
                        // After a restart the server lacks the streams that it keeps in memory.
                        let was_missing = was_missing && reason == Reason::Routine;
                        return drop(events.send(LoopEvent::Ready { queue, was_missing }));
                    }
                    // The connection is lost again; the loop checks the queues when it is back.
                    Err(_) if !is_connected(&client) => return,
                    Err(failure) => {
                        let problem = LoopEvent::Problem(failure.message().to_string());
                        if events.is_closed() || (!is_reported && events.send(problem).is_err()) {
                            return;
                        }
                        is_reported = true;
                    }
                }
                sleep(RETRY_INTERVAL).await;
            }
        });
    }
}
