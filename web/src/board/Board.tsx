// The board on the page: the picture, its pointer handlers, the grid for screen readers, and the lens.
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { shownSquare } from "../state/shown-names";
import { W } from "../words";
import { AriaGrid } from "./AriaGrid";
import { CELL, centre } from "./frame";
import { Picture } from "./picture";
import { aim, aiming, cancelAim, cellPx, confirmAim, lensBox, pointerHandlers } from "./pointer";
import { frame, scene } from "./shown";

/** The lens shows what the finger hides, beside it. */
function Lens() {
  const [square, here] = [aim.value, frame.value];
  if (!aiming.value || square === null || here === null) return null;
  const at = centre(here, square);
  if (at === null) return null;
  const side = at[0] < here.width / 2 ? "right" : "left";
  return (
    <svg class={`lens lens-${side}`} viewBox={lensBox(at[0], at[1])} aria-hidden="true">
      <rect
        class="lens-ground"
        x={-CELL * 5}
        y={-CELL * 5}
        width={here.width + CELL * 10}
        height={here.height + CELL * 10}
      />
      <use href="#board-root" />
    </svg>
  );
}

/** Two large buttons under the thumb. */
function Confirm() {
  const square = aim.value;
  if (square === null || aiming.value) return null;
  return (
    <div class="confirm">
      <button type="button" class="primary" onClick={confirmAim}>
        {W().confirmMove} {shownSquare(square)}
      </button>
      <button type="button" aria-label={W().takeBack} onClick={cancelAim}>
        ×
      </button>
    </div>
  );
}

export function Board() {
  const ref = useRef<SVGSVGElement>(null);
  useEffect(() => {
    const svg = ref.current;
    if (svg === null) return;
    const picture = new Picture(svg);
    const stop = effect(() => {
      const now = scene.value;
      if (now !== null) picture.draw(now);
    });
    const measure = (): void => {
      const here = frame.value;
      const box = svg.getBoundingClientRect();
      if (here !== null && box.width > 0) {
        cellPx.value = CELL * Math.min(box.width / here.width, box.height / here.height);
      }
    };
    const observer = new ResizeObserver(measure);
    observer.observe(svg);
    const stopMeasure = effect(() => {
      frame.value;
      measure();
    });
    const { onWheel, onContextMenu, ...others } = pointerHandlers(() => ref.current);
    // Not passive: the wheel steps through the moves and must not scroll.
    svg.addEventListener("wheel", onWheel, { passive: false });
    svg.addEventListener("contextmenu", onContextMenu);
    svg.onpointerdown = others.onPointerDown;
    svg.onpointermove = others.onPointerMove;
    svg.onpointerup = others.onPointerUp;
    svg.onpointerleave = others.onPointerLeave;
    svg.onpointercancel = others.onPointerCancel;
    return () => {
      stop();
      stopMeasure();
      observer.disconnect();
    };
  }, []);
  return (
    <div class="board">
      <svg ref={ref} class="board-picture" aria-hidden="true" />
      <AriaGrid />
      <Lens />
      <Confirm />
    </div>
  );
}
