// The bar on top: the document, undo and redo, menus.
import { commands, isPossible, keyHint, runCommand } from "../commands";
import { helpOpen, paletteOpen } from "../commands/overlays";
import { EXPORTS } from "../files/export";
import { COORDINATES } from "../game/squares";
import { showPane } from "../panes";
import { Menu, type MenuItem } from "../panes/Menu";
import { doc, ensureDocument, loose } from "../state/document";
import { edit } from "../state/edits";
import { liveState } from "../state/sync";
import { coordinates, LAYERS, layers, NUMBERS, numbers, THEMES, TOUCH, theme, touch } from "../state/view";
import { allWords, LANGUAGES, language, W } from "../words";

function fromCommand(id: string, extra: Partial<MenuItem> = {}): MenuItem[] {
  const command = commands.value.find((one) => one.id === id);
  if (command === undefined) return [];
  const { run } = command;
  return [{ label: command.words(), hint: keyHint(id), run, disabled: !isPossible(command), ...extra }];
}

const fileItems = (): MenuItem[] => [
  ...fromCommand("new"),
  ...fromCommand("new-game"),
  ...fromCommand("open"),
  { label: W().documents, run: () => showPane("documents") },
  ...fromCommand("link-position", { apart: true }),
  ...fromCommand("link-server"),
  ...fromCommand("puzzle.show", { apart: true }),
];

const exportItems = (): MenuItem[] =>
  EXPORTS.flatMap((format) =>
    fromCommand(`export-${format}`, {
      label: W().exportNames[format],
      apart: format === "png" || format === "certificate" || format === "print",
    }),
  );

/** Radio items for a choice. */
function choice<T extends string>(
  title: string,
  all: readonly T[],
  current: { value: T },
  names: Record<T, string>,
  key = "",
): MenuItem[] {
  return all.map((value, index) => ({
    label: `${title}: ${names[value]}`,
    checked: current.value === value,
    apart: index === 0,
    hint: index === 0 ? key : "",
    run: () => {
      current.value = value;
    },
  }));
}

const viewItems = (): MenuItem[] => {
  const words = W();
  const languages = Object.fromEntries(LANGUAGES.map((id) => [id, allWords[id].languageName])) as Record<
    (typeof LANGUAGES)[number],
    string
  >;
  return [
    ...LAYERS.map(
      (layer): MenuItem => ({
        label: `${words.layers}: ${words.layerNames[layer]}`,
        checked: layers[layer].value,
        isCheckbox: true,
        hint: keyHint(`layer-${layer}`),
        run: () => runCommand(`layer-${layer}`),
      }),
    ),
    ...choice(words.numbers, NUMBERS, numbers, words.numberKinds, keyHint("numbers")),
    ...choice(words.coordinates, COORDINATES, coordinates, words.coordinateKinds, keyHint("coordinates")),
    ...fromCommand("turn", { apart: true }),
    ...fromCommand("mirror"),
    ...choice(words.theme, THEMES, theme, words.themes),
    ...choice(words.touch, TOUCH, touch, words.touchKinds),
    ...choice(words.language, LANGUAGES, language, languages),
  ];
};

function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

function Change({ what, path }: { what: "undo" | "redo"; path: string }) {
  const command = commands.value.find((one) => one.id === what);
  if (command === undefined) return null;
  const title = `${command.words()} (${keyHint(what)})`;
  return (
    <button
      type="button"
      class="plain"
      title={title}
      aria-label={title}
      disabled={!isPossible(command)}
      onClick={command.run}
    >
      <Icon path={path} />
    </button>
  );
}

export function Bar() {
  const words = W();
  const here = doc.value;
  const title = words.server.title(here?.title ?? "");
  return (
    <header class="bar">
      <button type="button" class="plain brand" title={words.documents} onClick={() => showPane("documents")}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="7" cy="13" r="5.4" class="stone black" />
          <circle cx="13.4" cy="6.6" r="5.4" class="stone white" />
        </svg>
        <span>sixproof</span>
      </button>
      {here !== null && loose.value === null && (
        <input
          class="title"
          key={`${here.id}/${title}`}
          defaultValue={title}
          placeholder={words.untitled}
          aria-label={words.title}
          onChange={(event) => void edit({ edit: "title", text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
          }}
        />
      )}
      {loose.value !== null && (
        <span class="loose">
          <span class="muted">{words.looseHint}</span>{" "}
          <button type="button" onClick={() => void ensureDocument()}>
            {words.keepLoose}
          </button>
        </span>
      )}
      {here !== null && here.title !== here.game.title && (
        <span class="muted game-title">{words.server.title(here.game.title)}</span>
      )}
      <span class="stretch" />
      {liveState.value === "waiting" && <span class="offline">{words.reconnecting}</span>}
      <Change what="undo" path="M8 4 4 8l4 4M4 8h7a5 5 0 0 1 0 10H8" />
      <Change what="redo" path="m12 4 4 4-4 4m4-4H9a5 5 0 0 0 0 10h3" />
      <Menu label={words.menuFile} title={words.menuFile} items={fileItems} align="right" />
      <Menu label={words.menuExport} title={words.menuExport} items={exportItems} align="right" />
      <Menu label={words.settings} title={words.settings} items={viewItems} align="right" />
      <button type="button" class="plain" title={keyHint("palette")} onClick={() => (paletteOpen.value = true)}>
        {words.palette} <kbd class="wide">{keyHint("palette")}</kbd>
      </button>
      <button
        type="button"
        class="plain wide"
        title={words.help}
        aria-label={words.help}
        onClick={() => (helpOpen.value = true)}
      >
        <kbd>?</kbd>
      </button>
    </header>
  );
}
