// The layers of the board, from the bottom to the top. To add one, add it to the list.
import type { Layer } from "../scene";
import { dim, threats, zone } from "./areas";
import { coordinateLabels, ground, wood } from "./ground";
import { notes, pointer } from "./notes";
import { ghosts, nextMoves, onStones, stones } from "./stones";

export const boardLayers: Layer[] = [
  wood,
  zone,
  ground,
  coordinateLabels,
  threats,
  nextMoves,
  stones,
  onStones,
  ghosts,
  dim,
  notes,
  pointer,
];
