// The commands of the page itself; panes register their own.

import { focusBoard } from "../board/AriaGrid";
import { openMoveField } from "../board/MoveField";
import { mirrored, turned } from "../board/orientation";
import { numbersFrom, panBy, panHome } from "../board/shown";
import { type Command, registerCommands } from "../commands";
import { helpOpen, paletteOpen } from "../commands/overlays";
import { EXPORTS, exportAs } from "../files/export";
import { chooseFile, pasteText } from "../files/open";
import { copyPositionLink, copyServerLink } from "../files/share";
import { copySubtree, cutSubtree, deleteSubtree } from "../files/subtree";
import { COORDINATES, isUnbounded } from "../game/squares";
import { commitIncomplete, leave } from "../input/board";
import * as steps from "../input/steps";
import { chooseTool, TOOLS, toolWords } from "../input/tools";
import { showPane } from "../panes";
import { createConnect6, removeLater } from "../panes/DocumentsPane";
import { findNext, findWanted } from "../panes/tree/find";
import { toggleFold } from "../panes/tree/TreePane";
import { ahead, doc, documentId, ensureDocument, game, jumpBack, jumps, loose, node } from "../state/document";
import { edit, redo, undo } from "../state/edits";
import { failed, inform } from "../state/notices";
import { preview, provisional } from "../state/overlay";
import { bare, coordinates, cycle, LAYERS, layers, NUMBERS, numbers, orientation, THEMES, theme } from "../state/view";
import { LANGUAGES, language, W } from "../words";

const hasDocument = (): boolean => doc.value !== null;
const hasMove = (): boolean => documentId.value !== null && (ahead.value.length > 0 || node.value?.parent !== null);
const noPreview = (): boolean => preview.value === null;
const isOpenBoard = (): boolean => game.value !== null && isUnbounded(game.value);

const promote = (how: "up" | "down" | "first" | "main") => (): void =>
  void edit((at) => ({ edit: "promote", node: at, how }), true);

/** What undo or redo would do, in words; null if there is nothing to do. */
function changeWords(what: "undo" | "redo"): string | null {
  const here = doc.value;
  const [deed, text] = what === "undo" ? [here?.undoDeed, here?.undoes] : [here?.redoDeed, here?.redoes];
  if (!deed || !text) return null;
  const words = W().server.deed(deed, text);
  return what === "undo" ? W().undoWhat(words) : W().redoWhat(words);
}

async function change(what: "undo" | "redo"): Promise<void> {
  const words = changeWords(what);
  const done = await (what === "undo" ? undo() : redo());
  if (done !== null && words !== null) inform(words);
}

const moving: Command[] = [
  {
    id: "back",
    group: "move",
    words: () => W().stepBack,
    keys: ["ArrowLeft", "b", "Backspace"],
    run: steps.stepBack,
    hidden: true,
    revert: steps.stepForward,
  },
  {
    id: "forward",
    group: "move",
    words: () => W().stepForward,
    keys: ["ArrowRight", "f"],
    run: steps.stepForward,
    hidden: true,
    revert: steps.stepBack,
  },
  {
    id: "previous-sibling",
    group: "move",
    words: () => W().previousSibling,
    keys: ["ArrowUp"],
    run: () => steps.toSibling(-1),
    when: noPreview,
    hidden: true,
  },
  {
    id: "next-sibling",
    group: "move",
    words: () => W().nextSibling,
    keys: ["ArrowDown"],
    run: () => steps.toSibling(1),
    when: noPreview,
    hidden: true,
  },
  {
    id: "previous-branch",
    group: "move",
    words: () => W().toPreviousBranch,
    keys: ["PageUp"],
    run: () => steps.toBranch("up"),
  },
  {
    id: "next-branch",
    group: "move",
    words: () => W().toNextBranch,
    keys: ["PageDown"],
    run: () => steps.toBranch("down"),
  },
  { id: "start", group: "move", words: () => W().toStart, keys: ["Home"], run: steps.toStart },
  { id: "end", group: "move", words: () => W().toEnd, keys: ["End"], run: steps.toEnd },
  {
    id: "next-same",
    group: "move",
    words: () => W().nextSame,
    keys: ["Ctrl+p"],
    run: steps.toNextSame,
    when: hasDocument,
  },
  {
    id: "jump-back",
    group: "move",
    words: () => W().jumpBack,
    keys: ["Ctrl+b"],
    run: () => void jumpBack(),
    when: () => jumps.value.length > 0,
  },
  {
    id: "play-line",
    group: "move",
    words: () => W().playLine,
    keys: [","],
    run: steps.playPreview,
    when: () => preview.value !== null,
  },
  {
    id: "type-move",
    group: "move",
    words: () => W().typeMoveCommand,
    keys: ["/"],
    run: () => openMoveField(""),
    when: hasDocument,
  },
  { id: "cursor", group: "move", words: () => W().cursorMode, keys: ["."], run: focusBoard, when: hasDocument },
  {
    id: "commit",
    group: "move",
    words: () => W().confirmMove,
    keys: ["Enter"],
    run: commitIncomplete,
    when: () => provisional.value.length > 0,
    hidden: true,
  },
  {
    id: "escape",
    group: "move",
    words: () => W().escape,
    keys: ["Escape"],
    run: () => void leave(),
    when: noOverlay,
    hidden: true,
  },
];

function noOverlay(): boolean {
  return !helpOpen.value && !paletteOpen.value;
}

const editing: Command[] = [
  {
    id: "undo",
    group: "edit",
    words: () => changeWords("undo") ?? W().undo,
    keys: ["Ctrl+z"],
    run: () => void change("undo"),
    when: () => doc.value?.canUndo === true,
  },
  {
    id: "redo",
    group: "edit",
    words: () => changeWords("redo") ?? W().redo,
    keys: ["Ctrl+y", "Ctrl+Shift+z"],
    run: () => void change("redo"),
    when: () => doc.value?.canRedo === true,
  },
  {
    id: "cut",
    group: "edit",
    words: () => W().cutSubtree,
    keys: ["Ctrl+x"],
    run: () => void cutSubtree(),
    when: hasMove,
  },
  {
    id: "copy",
    group: "edit",
    words: () => W().copySubtree,
    keys: ["Ctrl+c"],
    run: () => void copySubtree(),
    when: () => documentId.value !== null && getSelection()?.isCollapsed !== false,
  },
  {
    id: "paste",
    group: "edit",
    words: () => W().pasteHere,
    keys: [],
    run: () => void navigator.clipboard.readText().then((text) => pasteText(text, true), failed),
    when: hasDocument,
  },
  {
    id: "delete",
    group: "edit",
    words: () => W().deleteSubtree,
    keys: ["Delete"],
    run: () => void deleteSubtree(),
    when: hasMove,
  },
  {
    id: "pass",
    group: "edit",
    words: () => W().passMove,
    keys: [],
    run: () => void edit((at) => ({ edit: "pass", node: at }), true),
    when: hasDocument,
  },
  {
    id: "promote-up",
    group: "tree",
    words: () => W().promoteUp,
    keys: ["Alt+ArrowUp"],
    run: promote("up"),
    when: hasMove,
  },
  {
    id: "promote-down",
    group: "tree",
    words: () => W().promoteDown,
    keys: ["Alt+ArrowDown"],
    run: promote("down"),
    when: hasMove,
  },
  {
    id: "promote-first",
    group: "tree",
    words: () => W().promoteFirst,
    keys: ["Alt+Home"],
    run: promote("first"),
    when: hasMove,
  },
  {
    id: "promote-main",
    group: "tree",
    words: () => W().promoteMain,
    keys: ["Alt+m"],
    run: promote("main"),
    when: hasMove,
  },
  {
    id: "fold",
    group: "tree",
    words: () => `${W().fold} / ${W().unfold}`,
    keys: ["Shift+f"],
    run: () => {
      if (node.value) toggleFold(node.value.id);
    },
    when: () => documentId.value !== null,
  },
  {
    id: "find",
    group: "tree",
    words: () => W().find,
    keys: ["Ctrl+f"],
    inFields: true,
    run: () => {
      showPane("tree");
      findWanted.value += 1;
    },
  },
  {
    id: "find-next",
    group: "tree",
    words: () => `${W().find} →`,
    keys: ["F3", "Ctrl+g"],
    inFields: true,
    run: () => void findNext(1),
  },
  {
    id: "find-previous",
    group: "tree",
    words: () => `${W().find} ←`,
    keys: ["Shift+F3"],
    inFields: true,
    run: () => void findNext(-1),
    hidden: true,
  },
];

const tools: Command[] = TOOLS.map((tool, index) => ({
  id: `tool-${tool}`,
  group: "edit",
  words: () => `${W().tools}: ${toolWords(tool)}`,
  keys: [`Alt+${index + 1}`],
  run: () => chooseTool(tool),
  when: hasDocument,
}));

const back =
  <T>(choice: { value: T }, all: readonly T[]) =>
  (): void => {
    choice.value = all[(all.indexOf(choice.value) + all.length - 1) % all.length] as T;
  };

const viewing: Command[] = [
  {
    id: "numbers",
    group: "board",
    words: () => `${W().numbers}: ${W().numberKinds[numbers.value]}`,
    keys: ["n"],
    run: () => cycle(numbers, NUMBERS),
    revert: back(numbers, NUMBERS),
  },
  {
    id: "numbers-here",
    group: "board",
    words: () => W().numbersFromHere,
    keys: ["Shift+n"],
    run: () => {
      numbersFrom.value = node.value?.turn ?? 0;
      numbers.value = "here";
    },
  },
  {
    id: "coordinates",
    group: "board",
    words: () => `${W().coordinates}: ${W().coordinateKinds[coordinates.value]}`,
    keys: ["c"],
    run: () => cycle(coordinates, COORDINATES),
    revert: back(coordinates, COORDINATES),
  },
  {
    id: "turn",
    group: "board",
    words: () => W().turnBoard,
    keys: ["r"],
    run: () => (orientation.value = turned(orientation.value)),
    revert: () => {
      for (let i = 0; i < 3; i++) orientation.value = turned(orientation.value);
    },
  },
  {
    id: "mirror",
    group: "board",
    words: () => W().mirrorBoard,
    keys: ["Shift+r"],
    run: () => (orientation.value = mirrored(orientation.value)),
  },
  {
    id: "bare",
    group: "board",
    words: () => W().bareBoard,
    keys: ["z"],
    run: () => (bare.value = true),
    revert: () => (bare.value = false),
    hidden: true,
  },
  ...LAYERS.map((layer): Command => {
    const flip = (): void => {
      layers[layer].value = !layers[layer].value;
    };
    const key = { zone: ["x"], threats: ["t"], next: ["v"] }[layer as string] ?? [];
    return {
      id: `layer-${layer}`,
      group: "board",
      words: () => W().toggleLayer(W().layerNames[layer]),
      keys: key,
      run: flip,
      revert: flip,
    };
  }),
  {
    id: "pan-left",
    group: "board",
    words: () => W().panLeft,
    keys: ["Shift+ArrowLeft"],
    run: () => panBy(-3, 0),
    when: isOpenBoard,
  },
  {
    id: "pan-right",
    group: "board",
    words: () => W().panRight,
    keys: ["Shift+ArrowRight"],
    run: () => panBy(3, 0),
    when: isOpenBoard,
  },
  {
    id: "pan-up",
    group: "board",
    words: () => W().panUp,
    keys: ["Shift+ArrowUp"],
    run: () => panBy(0, -3),
    when: isOpenBoard,
  },
  {
    id: "pan-down",
    group: "board",
    words: () => W().panDown,
    keys: ["Shift+ArrowDown"],
    run: () => panBy(0, 3),
    when: isOpenBoard,
  },
  { id: "pan-home", group: "board", words: () => W().panHome, keys: ["Shift+Home"], run: panHome, when: isOpenBoard },
];

const files: Command[] = [
  { id: "new", group: "files", words: () => W().newConnect6, keys: ["Alt+n"], run: createConnect6 },
  {
    id: "new-game",
    group: "files",
    words: () => W().newGame,
    keys: [],
    run: () => {
      showPane("documents");
      setTimeout(() => document.querySelector<HTMLElement>(".new-form input")?.focus());
    },
  },
  { id: "open", group: "files", words: () => W().openFile, keys: ["Ctrl+o"], run: chooseFile },
  {
    id: "delete-document",
    group: "files",
    words: () => W().deleteDocument,
    keys: [],
    run: () => {
      if (doc.value) void removeLater(doc.value);
    },
    when: () => documentId.value !== null,
  },
  {
    id: "keep",
    group: "files",
    words: () => W().keepLoose,
    keys: ["Ctrl+s"],
    run: () => void ensureDocument(),
    when: () => loose.value !== null,
  },
  {
    id: "link-position",
    group: "files",
    words: () => W().linkPosition,
    keys: ["Alt+l"],
    run: () => void copyPositionLink(),
    when: hasDocument,
  },
  {
    id: "link-server",
    group: "files",
    words: () => W().linkServer,
    keys: ["Alt+Shift+l"],
    run: () => void copyServerLink(),
    when: hasDocument,
  },
  ...EXPORTS.map(
    (format): Command => ({
      id: `export-${format}`,
      group: "files",
      words: () => (format === "print" ? W().exportNames.print : W().exportCommand(W().exportNames[format])),
      keys: format === "sgf" ? ["Ctrl+Shift+s"] : [],
      run: () => void exportAs(format),
      when: hasDocument,
    }),
  ),
];

const page: Command[] = [
  { id: "help", group: "page", words: () => W().help, keys: ["?"], run: () => (helpOpen.value = !helpOpen.value) },
  {
    id: "palette",
    group: "page",
    words: () => W().palette,
    keys: ["Ctrl+k"],
    inFields: true,
    run: () => (paletteOpen.value = !paletteOpen.value),
  },
  {
    id: "theme",
    group: "page",
    words: () => `${W().cycleTheme}: ${W().themes[theme.value]}`,
    keys: ["Alt+t"],
    run: () => cycle(theme, THEMES),
  },
  {
    id: "language",
    group: "page",
    words: () => `${W().language}: ${W().cycleLanguage}`,
    keys: [],
    run: () => cycle(language, LANGUAGES),
  },
];

export function registerPageCommands(): void {
  registerCommands([...moving, ...editing, ...tools, ...viewing, ...files, ...page]);
}
