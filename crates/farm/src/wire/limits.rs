//! How large what may be. A message over a limit is refused as a whole.

/// Bytes of a whole message; NATS refuses more than 1 MiB.
pub const MESSAGE_BYTES_MAX: usize = 1 << 20;

/// Bytes of a body that travels in a message; larger ones go over HTTP.
pub const INLINE_BYTES_MAX: usize = 512 << 10;

/// Bytes of a body that travels over HTTP.
pub const REMOTE_BYTES_MAX: u64 = 1 << 30;

/// Bytes of a partial result, and of an answer that is no certificate.
pub const FOUND_BYTES_MAX: usize = INLINE_BYTES_MAX;

/// Bytes of every text: names, versions, signatures, addresses, reasons.
pub const TEXT_BYTES_MAX: usize = 1 << 10;

/// Jobs that a worker may hold, and so its cores.
pub const RUNNING_MAX: usize = 4_096;

/// Workers, and dropped workers, in a status.
pub const STATUS_ROWS_MAX: usize = 512;

/// Warnings in a status.
pub const WARNINGS_MAX: usize = 64;
