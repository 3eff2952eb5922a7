// All journeys, in the order in which they begin. The long ones come first, so that they overlap with others.
import { firstMinutes, play, solveAndWalk } from "./beginning.mjs";
import { chinese } from "./chinese.mjs";
import { colours, keyboardOnly, largeBoards, phone } from "./devices.mjs";
import { editUndoReload, files, findAndLinks, hostileFile, twoTabs } from "./editing.mjs";
import { farm } from "./farm.mjs";
import { collections } from "./opening.mjs";
import { restart, share } from "./serving.mjs";
import { awayAndBack, slowServer, twoWriters } from "./trust.mjs";

export const journeys = {
  "first-minutes": firstMinutes,
  "two-tabs": twoTabs,
  "edit-undo-reload": editUndoReload,
  share,
  chinese,
  farm,
  "keyboard-only": keyboardOnly,
  play,
  "large-boards": largeBoards,
  "find-and-links": findAndLinks,
  files,
  restart,
  "solve-and-walk": solveAndWalk,
  phone,
  colours,
  "hostile-file": hostileFile,
  "slow-server": slowServer,
  "away-and-back": awayAndBack,
  "two-writers": twoWriters,
  collections,
};
