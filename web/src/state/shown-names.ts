// Names of squares as the page shows them. A component that reads them follows the choice of coordinates.
import type { SquareName } from "../api/types";
import { shownName } from "../game/squares";
import { game } from "./document";
import { coordinates } from "./view";

/** One square: `J10`. */
export const shownSquare = (square: SquareName): string =>
  game.value === null ? square : shownName(game.value, coordinates.value, square);

/** The squares of a move: `J10 K11`. */
export const shownMove = (squares: readonly SquareName[]): string => squares.map(shownSquare).join(" ");
