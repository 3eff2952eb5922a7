// The command palette: all commands by name.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Command, commands, isPossible } from "../commands";
import { formatKey } from "../commands/keys";
import { paletteOpen } from "../commands/overlays";
import { W } from "../words";

/** Whether all typed words occur, in any order; a match at the beginning ranks first. */
export function matching(list: readonly Command[], text: string): Command[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = (command: Command): number => {
    const name = command.words().toLowerCase();
    if (!wanted.every((word) => name.includes(word) || command.id.includes(word))) return -1;
    return wanted.length > 0 && name.startsWith(wanted[0] ?? "") ? 0 : 1;
  };
  return list
    .map((command) => ({ command, rank: rank(command) }))
    .filter((one) => one.rank >= 0)
    .sort((a, b) => a.rank - b.rank)
    .map((one) => one.command);
}

export function Palette() {
  const field = useRef<HTMLInputElement>(null);
  const before = useRef<Element | null>(null);
  const [text, setText] = useState("");
  const [index, setIndex] = useState(0);
  const isOpen = paletteOpen.value;
  // Focus before the next key, so that no typed letter is lost.
  useLayoutEffect(() => {
    if (!isOpen) return;
    before.current = document.activeElement;
    setText("");
    setIndex(0);
    field.current?.focus();
  }, [isOpen]);
  if (!isOpen) return null;
  const list = matching(
    commands.value.filter((one) => !one.hidden && isPossible(one)),
    text,
  ).slice(0, 60);
  const close = (): void => {
    paletteOpen.value = false;
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setIndex((index + step + list.length) % Math.max(1, list.length));
    else if (event.key === "Enter") run(list[index]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="palette" role="search" onKeyDown={onKeyDown}>
      <input
        ref={field}
        value={text}
        placeholder={W().paletteHint}
        aria-label={W().paletteHint}
        aria-controls="palette-list"
        aria-activedescendant={`palette-${index}`}
        role="combobox"
        aria-expanded="true"
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setIndex(0);
        }}
        onBlur={() => {
          paletteOpen.value = false;
        }}
      />
      <ul id="palette-list" role="listbox" aria-label={W().palette}>
        {list.length === 0 && <li class="muted">{W().noCommand}</li>}
        {list.map((command, i) => (
          <li
            key={command.id}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === index}
            ref={(element) => {
              if (i === index) element?.scrollIntoView?.({ block: "nearest" });
            }}
            // Before the field loses the focus.
            onPointerDown={(event) => {
              event.preventDefault();
              run(command);
            }}
          >
            <span class="muted palette-group">{W().groups[command.group]}</span>
            <span>{command.words()}</span>
            {command.keys[0] !== undefined && <kbd>{formatKey(command.keys[0])}</kbd>}
          </li>
        ))}
      </ul>
    </div>
  );
}
