// A menu that drops down from a button. The page stays usable: a click elsewhere, Esc or Tab closes the menu.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export interface MenuItem {
  label: string;
  hint?: string;
  run: () => void;
  disabled?: boolean;
  checked?: boolean;
  /** A checkbox and not one of a group. */
  isCheckbox?: boolean;
  /** A separator above the item. */
  apart?: boolean;
}

interface Props {
  label: ComponentChildren;
  title: string;
  items: () => MenuItem[];
  align?: "left" | "right";
  class?: string;
}

export function Menu({ label, title, items, align = "left", class: className = "" }: Props) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  // Focus before the next key: it must not move into the menu after Esc has closed it.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const onDown = (event: Event): void => {
      if (!box.current?.contains(event.target as globalThis.Node | null)) setOpen(false);
    };
    window.addEventListener("pointerdown", onDown);
    box.current?.querySelector<HTMLElement>("[role^='menuitem']:not(:disabled)")?.focus();
    return () => window.removeEventListener("pointerdown", onDown);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    box.current?.querySelector("button")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    const all = [...(box.current?.querySelectorAll<HTMLElement>("[role^='menuitem']:not(:disabled)") ?? [])];
    const index = all.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) all[(index + step + all.length) % all.length]?.focus();
    else if (event.key === "Home") all[0]?.focus();
    else if (event.key === "End") all[all.length - 1]?.focus();
    else if (event.key === "Escape") close();
    else if (event.key === "Tab") return setOpen(false);
    else if (event.key !== "Enter" && event.key !== " ") return;
    else return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={box} class={`menu ${className}`} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="plain"
        title={title}
        aria-label={title}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <div class={`menu-list menu-${align}`} role="menu" aria-label={title}>
          {items().map((item) => (
            <button
              key={item.label}
              type="button"
              class={`menu-item${item.apart ? " apart" : ""}`}
              role={item.checked === undefined ? "menuitem" : item.isCheckbox ? "menuitemcheckbox" : "menuitemradio"}
              aria-checked={item.checked}
              disabled={item.disabled}
              onClick={() => {
                close();
                item.run();
              }}
            >
              <span>{item.label}</span>
              {item.hint && <kbd>{item.hint}</kbd>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
