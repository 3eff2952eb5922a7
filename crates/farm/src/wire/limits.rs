//! The limits of messages. A message that exceeds one is refused as a whole.

/// Largest size of a whole message; NATS refuses more than 1 MiB.
pub const MESSAGE_BYTES_MAX: usize = 1 << 20;

/// Largest size of a body inside a message; larger ones travel over HTTP.
pub const INLINE_BYTES_MAX: usize = 512 << 10;

/// Largest size of a body that travels over HTTP.
pub const REMOTE_BYTES_MAX: u64 = 1 << 30;

/// Largest size of a partial result, and of an answer without a certificate.
pub const FOUND_BYTES_MAX: usize = INLINE_BYTES_MAX;

/// Largest size of every text: names, versions, signatures, addresses, reasons.
pub const TEXT_BYTES_MAX: usize = 1 << 10;

/// Largest number of jobs of a worker, and so of its cores.
pub const RUNNING_MAX: usize = 4_096;

/// Largest number of workers, and of dropped workers, in a status.
pub const STATUS_ROWS_MAX: usize = 512;

/// Largest number of warnings in a status.
pub const WARNINGS_MAX: usize = 64;
