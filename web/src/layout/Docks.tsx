// The two docks of panes beside the board, with tabs, and the border between them.

import { kept } from "../kept";
import { active, type Dock, type Pane, panes } from "../panes";
import { W } from "../words";

const share = kept("dock.share", 0.58, (v): v is number => typeof v === "number" && v > 0 && v < 1);
const SHARE_STEP = 0.04;
const clampShare = (value: number): number => Math.min(0.85, Math.max(0.15, value));

const visible = (dock: Dock): Pane[] =>
  panes.filter((pane) => pane.dock === dock && (pane.when === undefined || pane.when()));

function Tabs({ dock, list, current }: { dock: Dock; list: Pane[]; current: Pane | undefined }) {
  const choose = (pane: Pane): void => {
    active[dock].value = pane.id;
  };
  const onKey = (event: KeyboardEvent, index: number): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = list[(index + step + list.length) % list.length];
    if (next === undefined) return;
    choose(next);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist">
      {list.map((pane, index) => {
        const badge = pane.badge?.() ?? "";
        const isCurrent = pane === current;
        return (
          <button
            key={pane.id}
            id={`tab-${pane.id}`}
            type="button"
            role="tab"
            class="tab"
            aria-selected={isCurrent}
            aria-controls={`pane-${pane.id}`}
            tabIndex={isCurrent ? 0 : -1}
            onClick={(event) => {
              choose(pane);
              // After a click the arrow keys step through the moves again; after a key the tab keeps the focus.
              if (event.detail > 0) event.currentTarget.blur();
            }}
            onKeyDown={(event) => onKey(event, index)}
          >
            {pane.words()}
            {badge !== "" && <span class="badge">{badge}</span>}
          </button>
        );
      })}
    </div>
  );
}

function DockView({ dock }: { dock: Dock }) {
  const list = visible(dock);
  const current = list.find((pane) => pane.id === active[dock].value) ?? list[0];
  const View = current?.view;
  return (
    <section class={`dock dock-${dock}`}>
      <Tabs dock={dock} list={list} current={current} />
      {View && current && (
        <div class="pane" id={`pane-${current.id}`} role="tabpanel" aria-labelledby={`tab-${current.id}`}>
          <View key={current.id} />
        </div>
      )}
    </section>
  );
}

/** The border that can be dragged, or moved with the arrow keys. */
function Border() {
  const onPointerDown = (event: PointerEvent): void => {
    const border = event.currentTarget as HTMLElement;
    const column = border.parentElement;
    if (column === null) return;
    border.setPointerCapture(event.pointerId);
    const box = column.getBoundingClientRect();
    border.onpointermove = (move) => {
      share.value = clampShare((move.clientY - box.top) / box.height);
    };
    border.onpointerup = border.onpointercancel = () => {
      border.onpointermove = null;
    };
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowUp: -SHARE_STEP, ArrowDown: SHARE_STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    share.value = clampShare(share.value + step);
  };
  return (
    <div
      class="border"
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={W().resizePanes}
      aria-valuenow={Math.round(share.value * 100)}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}

export function Docks() {
  const rows = `minmax(0, ${share.value}fr) auto minmax(0, ${1 - share.value}fr)`;
  return (
    <aside class="docks" aria-label={W().panes} style={{ "--dock-rows": rows }}>
      <DockView dock="upper" />
      <Border />
      <DockView dock="lower" />
    </aside>
  );
}
