// The eight orientations of a board: mirrored or not, then turned by quarters clockwise. A place on the screen is
// (u, v): column from the left, row from the top.

export interface Size {
  cols: number;
  rows: number;
}
export interface Place {
  u: number;
  v: number;
}

export const isMirrored = (orientation: number): boolean => orientation >= 4;
export const turnsOf = (orientation: number): number => orientation % 4;

/** The size on the screen. */
export function turnedSize({ cols, rows }: Size, orientation: number): Size {
  return turnsOf(orientation) % 2 === 0 ? { cols, rows } : { cols: rows, rows: cols };
}

/** From a place of the board as it is (`size`) to the screen. */
export function toScreen(place: Place, size: Size, orientation: number): Place {
  let { u, v } = place;
  let { cols, rows } = size;
  if (isMirrored(orientation)) u = cols - 1 - u;
  for (let i = 0; i < turnsOf(orientation); i++) {
    [u, v] = [rows - 1 - v, u];
    [cols, rows] = [rows, cols];
  }
  return { u, v };
}

/** From the screen to the board as it is. */
export function fromScreen(place: Place, size: Size, orientation: number): Place {
  let { u, v } = place;
  let { cols, rows } = turnedSize(size, orientation);
  for (let i = 0; i < turnsOf(orientation); i++) {
    [u, v] = [v, cols - 1 - u];
    [cols, rows] = [rows, cols];
  }
  if (isMirrored(orientation)) u = cols - 1 - u;
  return { u, v };
}

/** A quarter turn more. */
export const turned = (orientation: number): number =>
  (isMirrored(orientation) ? 4 : 0) + ((turnsOf(orientation) + 1) % 4);

/** Left and right exchanged as seen on the screen. */
export function mirrored(orientation: number): number {
  const turns = (4 - turnsOf(orientation)) % 4;
  return (isMirrored(orientation) ? 0 : 4) + turns;
}
