//! stub
/// How.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerminalStyle {}
impl super::Picture {
    /// stub
    pub fn terminal(&self, _: TerminalStyle) -> String {
        String::from("White to move")
    }
}
