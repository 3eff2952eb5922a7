// Mouse and finger on the board. A click places a stone, a drag moves an unbounded board. Where squares are small a
// finger aims first, and a button or a second tap places.
import { computed, signal } from "@preact/signals";
import type { SquareName } from "../api/types";
import { isUnbounded } from "../game/squares";
import { actBack, actOn } from "../input/board";
import { stepBack, stepForward } from "../input/steps";
import { hovered } from "../state/overlay";
import { touch } from "../state/view";
import { CELL, squareAt } from "./frame";
import { cursor, frame, hoverStone, panBy } from "./shown";

/** The smallest cell, in pixels, that a finger hits. */
const FINGER_PX = 44;
const CLICK_PX = 7;
const WHEEL_STEP = 60;

/** The square that a finger aims at; null where no square is near. */
export const aim = signal<SquareName | null>(null);
/** Whether the finger is down and the lens is shown. */
export const aiming = signal(false);
/** The size of a cell on the screen in pixels; the board sets it when its size changes. */
export const cellPx = signal(FINGER_PX);

/** Whether fingers aim before they place. */
export const confirms = computed(() => (touch.value === "auto" ? cellPx.value < FINGER_PX : touch.value === "confirm"));

/** The square under a pointer. */
function squareUnder(svg: SVGSVGElement, event: MouseEvent): SquareName | null {
  const here = frame.value;
  if (here === null) return null;
  const box = svg.getBoundingClientRect();
  // The picture keeps its aspect ratio and is centred in its box.
  const scale = Math.min(box.width / here.width, box.height / here.height);
  const left = box.left + (box.width - here.width * scale) / 2;
  const top = box.top + (box.height - here.height * scale) / 2;
  return squareAt(here, (event.clientX - left) / scale, (event.clientY - top) / scale);
}

export function confirmAim(): void {
  const square = aim.value;
  cancelAim();
  if (square !== null) actOn(square);
}

export function cancelAim(): void {
  aim.value = null;
  cursor.value = null;
}

interface Press {
  x: number;
  y: number;
  moved: boolean;
  pannedX: number;
  pannedY: number;
}

/** The handlers of the board's svg element. */
export function pointerHandlers(svg: () => SVGSVGElement | null) {
  let press: Press | null = null;
  let wheel = 0;

  const onPointerDown = (event: PointerEvent): void => {
    const element = svg();
    if (element === null || event.button !== 0) return;
    press = { x: event.clientX, y: event.clientY, moved: false, pannedX: 0, pannedY: 0 };
    element.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch" && confirms.value) {
      aiming.value = true;
      target(squareUnder(element, event));
    }
  };

  const target = (square: SquareName | null): void => {
    if (square === null) return;
    aim.value = square;
    cursor.value = square;
    hovered.value = square;
  };

  const drag = (event: PointerEvent, start: Press): void => {
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    if (Math.hypot(dx, dy) > CLICK_PX) start.moved = true;
    const here = frame.value;
    if (!start.moved || here === null || !isUnbounded(here.game)) return;
    const [u, v] = [Math.round(-dx / cellPx.value), Math.round(-dy / cellPx.value)];
    if (u !== start.pannedX || v !== start.pannedY) {
      panBy(u - start.pannedX, v - start.pannedY);
      [start.pannedX, start.pannedY] = [u, v];
    }
  };

  const onPointerMove = (event: PointerEvent): void => {
    const element = svg();
    if (element === null) return;
    hoverStone.value = event.pointerType !== "touch";
    const square = squareUnder(element, event);
    if (aiming.value) return target(square);
    if (press !== null) drag(event, press);
    hovered.value = square;
  };

  const onPointerUp = (event: PointerEvent): void => {
    const element = svg();
    const start = press;
    press = null;
    if (element === null || start === null) return;
    const square = squareUnder(element, event);
    if (aiming.value) {
      aiming.value = false;
      // A second tap on the same square places.
      if (!start.moved && square !== null && square === confirmed) confirmAim();
      confirmed = aim.value;
      return;
    }
    if (!start.moved && square !== null) {
      cursor.value = null;
      actOn(square);
    }
  };

  const onPointerLeave = (): void => {
    if (!aiming.value) hovered.value = null;
  };
  const onPointerCancel = (): void => {
    press = null;
    aiming.value = false;
  };

  const onContextMenu = (event: MouseEvent): void => {
    event.preventDefault();
    const element = svg();
    // A long press of a finger is not a right click.
    if (element !== null && !aiming.value) actBack(squareUnder(element, event));
  };

  const onWheel = (event: WheelEvent): void => {
    if (event.ctrlKey) return; // Zoom of the browser.
    event.preventDefault();
    wheel += event.deltaMode === 0 ? event.deltaY : event.deltaY * 40;
    if (Math.abs(wheel) < WHEEL_STEP) return;
    if (wheel > 0) stepForward();
    else stepBack();
    wheel = 0;
  };

  return { onPointerDown, onPointerMove, onPointerUp, onPointerLeave, onPointerCancel, onContextMenu, onWheel };
}

/** The square of the aim when the finger was last lifted. */
let confirmed: SquareName | null = null;

/** The part of the picture that the lens shows. */
export function lensBox(x: number, y: number): string {
  const size = CELL * 5;
  return `${x - size / 2} ${y - size / 2} ${size} ${size}`;
}
