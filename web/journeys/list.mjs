// All journeys, in the order in which they are run.
import { firstMinutes, play, solveAndWalk } from "./beginning.mjs";
import { editUndoReload, files, findAndLinks, hostileFile, twoTabs } from "./editing.mjs";
import { chinese, colours, keyboardOnly, largeBoards, phone } from "./devices.mjs";
import { farm } from "./farm.mjs";
import { restart, share } from "./serving.mjs";

export const journeys = {
  "first-minutes": firstMinutes,
  play,
  "solve-and-walk": solveAndWalk,
  "edit-undo-reload": editUndoReload,
  restart,
  "keyboard-only": keyboardOnly,
  phone,
  colours,
  files,
  "two-tabs": twoTabs,
  "large-boards": largeBoards,
  "find-and-links": findAndLinks,
  share,
  "hostile-file": hostileFile,
  chinese,
  farm,
};
