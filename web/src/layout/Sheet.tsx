// Sheets above the page: a question with two answers, and the games of a file to choose from. Esc closes a sheet,
// and the focus returns to where it was.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { GameSummary } from "../api/types";
import { choosing } from "../files/collection";
import { question } from "../state/question";
import { W } from "../words";

function Sheet({ label, onLeave, children }: { label: string; onLeave: () => void; children: ComponentChildren }) {
  const sheet = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    sheet.current?.querySelector<HTMLElement>("input, button")?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const places = [...(sheet.current?.querySelectorAll<HTMLElement>("button, input") ?? [])];
    const at = places.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1, Tab: event.shiftKey ? -1 : 1 }[event.key];
    // The sheet keeps all keys: Enter and Space press the button, letters go into the field.
    event.stopPropagation();
    if (event.key === "Escape") onLeave();
    else if (step !== undefined) places[(at + step + places.length) % places.length]?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <div class="sheet-back" onClick={(event) => event.target === event.currentTarget && onLeave()}>
      <div ref={sheet} class="sheet" role="dialog" aria-modal="true" aria-label={label} onKeyDown={onKeyDown}>
        {children}
      </div>
    </div>
  );
}

function QuestionSheet() {
  const asked = question.value;
  if (asked === null) return null;
  return (
    <Sheet label={asked.text} onLeave={() => asked.answer(false)}>
      <p>{asked.text}</p>
      {asked.detail !== null && (
        <p class="muted small" lang="en">
          {asked.detail}
        </p>
      )}
      <div class="buttons">
        <button type="button" class="primary" onClick={() => asked.answer(true)}>
          {asked.yes}
        </button>
        <button type="button" onClick={() => asked.answer(false)}>
          {W().cancel}
        </button>
      </div>
    </Sheet>
  );
}

/** The largest number of games that are listed, and opened, at once. */
const LISTED_MAX = 200;

/** `Black – White · B+R · Connect6, 19 x 19 · 34 moves`. */
function aboutGame({ game, black, white, result, moves }: GameSummary): string {
  const words = W();
  const players = black || white ? `${black || "?"} – ${white || "?"}` : "";
  const title = game === null ? "" : words.server.title(game.title);
  return [players, result, title, words.moves(moves)].filter((text) => text !== "").join(" · ");
}

/** Whether all typed words occur. */
function fits(game: GameSummary, text: string): boolean {
  const { number, title, black, white, result } = game;
  const all = [number, title, black, white, result].join(" ").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

function GamesSheet() {
  const open = choosing.value;
  const [text, setText] = useState("");
  useLayoutEffect(() => setText(""), [open]);
  if (open === null) return null;
  const words = W();
  const label = words.gamesInFile(open.games.length, open.name);
  const found = open.games.filter((game) => fits(game, text));
  const listed = found.slice(0, LISTED_MAX);
  const first = listed[0];
  return (
    <Sheet label={label} onLeave={() => open.choose([])}>
      <p>{label}</p>
      <input
        type="search"
        value={text}
        placeholder={words.filterGames}
        aria-label={words.filterGames}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && first !== undefined) open.choose([first.number]);
        }}
      />
      <ol class="games">
        {listed.map((one) => (
          <li key={one.number}>
            <button type="button" class="plain" onClick={() => open.choose([one.number])}>
              <span class="muted">{one.number}</span>
              <b>{one.title || words.untitled}</b>
              <span class="muted small">{aboutGame(one)}</span>
            </button>
          </li>
        ))}
        {found.length > listed.length && <li class="muted">{words.moreGames(found.length - listed.length)}</li>}
        {found.length === 0 && <li class="muted">{words.nothingFound}</li>}
      </ol>
      <div class="buttons">
        {open.games.length <= LISTED_MAX && (
          <button type="button" onClick={() => open.choose(open.games.map((one) => one.number))}>
            {words.openAll(open.games.length)}
          </button>
        )}
        <button type="button" onClick={() => open.choose([])}>
          {words.cancel}
        </button>
      </div>
    </Sheet>
  );
}

export const Sheets = () => (
  <>
    <QuestionSheet />
    <GamesSheet />
  </>
);
