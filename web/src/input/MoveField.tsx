// The field for typed moves. It opens when a letter and a digit are typed, plays with Enter, and shows
// the stones while they are typed.
import { useEffect, useRef, useState } from "preact/hooks";
import { failed } from "../state/notices";
import { W } from "../words";
import { playTyped, typed } from "./board";
import { focusBoard } from "../board/AriaGrid";
import { cursor } from "../board/shown";

export function MoveField() {
  const ref = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const [fromBoard, setFromBoard] = useState(false);
  const isOpen = typed.value !== null;
  useEffect(() => {
    const field = ref.current;
    if (!isOpen || field === null) return;
    setFromBoard(cursor.value !== null);
    setWrong(null);
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }, [isOpen]);
  if (typed.value === null) return null;
  const close = (): void => {
    typed.value = null;
    if (fromBoard) focusBoard();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    try {
      const word = playTyped(typed.value ?? "");
      if (word === null) close();
      else setWrong(word);
    } catch (error) {
      failed(error);
    }
  };
  return (
    <form class="move-field" onSubmit={submit}>
      <input
        ref={ref}
        value={typed.value}
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
          if (wrong === null) typed.value = null;
        }}
      />
      <span class="muted" role="status">
        {wrong === null ? W().typeMove : W().badMove(wrong)}
      </span>
    </form>
  );
}
