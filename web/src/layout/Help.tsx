// The `?` overlay: all keys, from the list of commands. The page stays usable behind it.
import { useEffect, useRef } from "preact/hooks";
import { type CommandGroup, commands } from "../commands";
import { formatKey } from "../commands/keys";
import { helpOpen } from "../commands/overlays";
import { W } from "../words";

const GROUPS: CommandGroup[] = ["move", "edit", "tree", "board", "analysis", "play", "files", "page"];

export function Help() {
  const box = useRef<HTMLElement>(null);
  const isOpen = helpOpen.value;
  useEffect(() => {
    if (isOpen) box.current?.focus();
  }, [isOpen]);
  if (!isOpen) return null;
  const words = W();
  const close = (): void => {
    helpOpen.value = false;
  };
  return (
    <section
      ref={box}
      class="help"
      tabIndex={-1}
      aria-label={words.help}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          close();
          event.stopPropagation();
        }
      }}
    >
      <button type="button" class="plain help-close" aria-label={words.close} onClick={close}>
        ×
      </button>
      <div class="help-columns">
        {GROUPS.map((group) => {
          const list = commands.value.filter((one) => one.group === group && one.keys.length > 0);
          return list.length === 0 ? null : (
            <div key={group} class="help-group">
              <h2>{words.groups[group]}</h2>
              <dl>
                {list.map((command) => (
                  <div key={command.id}>
                    <dt>
                      {command.keys.map((key) => (
                        <kbd key={key}>{formatKey(key)}</kbd>
                      ))}
                    </dt>
                    <dd>{command.words()}</dd>
                  </div>
                ))}
              </dl>
            </div>
          );
        })}
        <div class="help-group">
          <h2>{words.mouse}</h2>
          {words.mouseHelp.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      </div>
    </section>
  );
}
