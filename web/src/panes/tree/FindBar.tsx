// The search field of the tree, with its matches below.
import { useEffect, useRef, useState } from "preact/hooks";
import { jumpTo } from "../../state/document";
import { W } from "../../words";
import { find, findNext, findText, findWanted, found, foundIndex } from "./find";

const DEBOUNCE_MS = 150;

export function FindBar() {
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => {
    if (findWanted.value === 0) return;
    field.current?.focus();
    field.current?.select();
  }, [findWanted.value]);
  const list = found.value?.nodes ?? [];
  const count = found.value === null ? "" : W().found(list.length, found.value.more);
  const place = foundIndex.value >= 0 ? W().foundAt(foundIndex.value + 1, list.length) : count;
  return (
    <div class="find" onFocusIn={() => setOpen(true)} onFocusOut={() => setOpen(false)}>
      <input
        ref={field}
        type="search"
        value={findText.value}
        placeholder={W().find}
        title={W().findHint}
        aria-label={`${W().find}: ${W().findHint}`}
        onInput={(event) => {
          findText.value = event.currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => void find(false), DEBOUNCE_MS);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") void findNext(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") field.current?.blur();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span class="muted find-count">{place}</span>
      {isOpen && list.length > 0 && (
        <ul class="found">
          {list.slice(0, 12).map((one, index) => (
            <li key={one.node} class={index === foundIndex.value ? "current" : ""}>
              <button
                type="button"
                // On pointer down, before the field loses the focus and the list closes.
                onPointerDown={(event) => {
                  event.preventDefault();
                  foundIndex.value = index;
                  void jumpTo(one.node);
                }}
              >
                <b>{one.turn}</b> {one.text || one.moves}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
