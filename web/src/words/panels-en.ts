// English texts of the panes for proofs, jobs, threats, analysis, playing and the puzzle.
export const panelsEn = {};
