// The field for typed moves. A letter and a digit open it, Enter plays the move. It is always in the document, so
// that it has the focus before the next key.
import { useRef, useState } from "preact/hooks";
import { playTyped, typed } from "../input/board";
import { W } from "../words";
import { focusBoard } from "./AriaGrid";
import { cursor } from "./shown";

/** Opens the field at once, with the characters that the reader has typed. */
export function openMoveField(text: string): void {
  typed.value = text;
  const form = document.querySelector<HTMLFormElement>(".move-field");
  const field = form?.querySelector("input");
  if (!form || !field) return;
  form.hidden = false;
  form.dataset.cursor = cursor.value === null ? "" : "yes";
  field.value = text;
  field.focus();
  field.setSelectionRange(text.length, text.length);
}

export function MoveField() {
  const form = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const close = (): void => {
    const fromBoard = form.current?.dataset.cursor === "yes";
    typed.value = null;
    setWrong(null);
    form.current?.querySelector("input")?.blur();
    if (fromBoard) focusBoard();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const word = playTyped(typed.value ?? "");
    if (word === null) close();
    else setWrong(word);
  };
  return (
    <form ref={form} class="move-field" hidden={typed.value === null} onSubmit={submit}>
      <input
        value={typed.value ?? ""}
        aria-label={W().typeMove}
        aria-invalid={wrong !== null}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          setWrong(null);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          close();
        }}
        onBlur={() => {
          typed.value = null;
          setWrong(null);
        }}
      />
      <span class="muted" role="status">
        {wrong === null ? W().typeMove : W().badMove(wrong)}
      </span>
    </form>
  );
}
