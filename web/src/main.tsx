// The entry of the page. Common styles come first, then those of the panes, then those of paper.
import "./style/index.css";
import { effect, untracked } from "@preact/signals";
import { render } from "preact";
import { api } from "./api/client";
import { openMoveField } from "./board/MoveField";
import { handleKey, setTypedHandler } from "./commands";
import { startFiles } from "./files/open";
import { checkVisits, forgetVisits, rememberVisit } from "./input/steps";
import { registerPageCommands } from "./layout/commands";
import { Page } from "./layout/Page";
import { showPane } from "./panes";
import { registerPaneCommands } from "./panes/commands";
import { registerPanes, startPanes } from "./panes/list";
import { doc, documentId, node } from "./state/document";
import { flush, hasConflict, startDrafts } from "./state/drafts";
import { resumeEdits, startEdits } from "./state/edits";
import { follow, startPlace } from "./state/place";
import { liveState, startLive } from "./state/sync";
import { applyTheme, bare } from "./state/view";
import { applyLanguage, W } from "./words";
import "./style/print.css";

applyTheme();
applyLanguage();
registerPanes();
registerPageCommands();
registerPaneCommands();
startPanes();

addEventListener("keydown", handleKey);
// Z shows the bare board while it is held.
addEventListener("keyup", (event) => {
  if (event.key.toLowerCase() === "z" || event.code === "KeyZ") bare.value = false;
});
addEventListener("blur", () => {
  bare.value = false;
});
setTypedHandler(openMoveField);

// Forward goes to the child that was visited last.
effect(() => {
  documentId.value;
  forgetVisits();
});
effect(() => {
  const here = node.value;
  if (here === null) return;
  rememberVisit(here);
  checkVisits(here);
});
effect(() => {
  const title = W().server.title(doc.value?.title || doc.value?.game.title || "");
  document.title = title === "" ? "sixproof" : `${title} · sixproof`;
});

// When the server is back, the page sends the moves and texts that wait, and a page without a document opens one.
let wasAway = false;
effect(() => {
  if (liveState.value === "waiting") wasAway = true;
  if (liveState.value !== "open" || !wasAway) return;
  wasAway = false;
  untracked(() => {
    resumeEdits();
    void flush();
    if (doc.value === null) void follow();
  });
});

// Two texts of one field must be visible.
effect(() => {
  if (hasConflict.value) untracked(() => showPane("comment"));
});

const root = document.getElementById("page");
if (root !== null) render(<Page />, root);
startFiles();
startDrafts();
startEdits();
void api
  .status()
  .catch(() => null)
  .then(startLive);
void startPlace();
