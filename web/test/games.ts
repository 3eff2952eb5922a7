// Games that tests use.
import type { Game } from "../src/api/types";

export const connect6: Game = {
  name: "connect6",
  title: "Connect6, 19 x 19",
  cols: 19,
  rows: 19,
  k: 6,
  p: 2,
  q: 1,
  exact: false,
};
export const big: Game = { ...connect6, name: "59,59,6,2,1", cols: 59, rows: 59 };
export const unbounded: Game = { ...connect6, name: "unbounded", cols: 0, rows: 0 };
