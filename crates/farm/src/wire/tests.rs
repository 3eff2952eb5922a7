//! Laws of the messages.
