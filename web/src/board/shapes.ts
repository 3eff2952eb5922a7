// Shapes, and how they get onto the screen. A layer gives a list of shapes; only those that differ from
// the last time are touched.

export type Attributes = Record<string, string | number>;

export interface Shape {
  /** What it is, unique within its layer: a shape with the same key is changed in place. */
  key: string;
  tag: "circle" | "path" | "text" | "rect";
  at: Attributes;
  text?: string;
}

interface Drawn {
  element: SVGElement;
  shape: Shape;
  seen: number;
}

const SVG = "http://www.w3.org/2000/svg";

export function svgElement(tag: string, at: Attributes = {}): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const name in at) element.setAttribute(name, String(at[name]));
  return element;
}

/** Changes an element from one shape to another of the same tag. */
function change(element: SVGElement, from: Shape, to: Shape): void {
  for (const name in to.at) {
    if (from.at[name] !== to.at[name]) element.setAttribute(name, String(to.at[name]));
  }
  for (const name in from.at) if (!(name in to.at)) element.removeAttribute(name);
  if (from.text !== to.text) element.textContent = to.text ?? "";
}

/** One group of the picture with its shapes. */
export class Painter {
  readonly group: SVGElement;
  private readonly drawn = new Map<string, Drawn>();
  private round = 0;

  constructor(name: string) {
    this.group = svgElement("g", { class: `layer-${name}` });
  }

  /** How many shapes are there. */
  get size(): number {
    return this.drawn.size;
  }

  paint(shapes: readonly Shape[]): void {
    this.round += 1;
    for (const shape of shapes) {
      const old = this.drawn.get(shape.key);
      if (old !== undefined && old.shape.tag === shape.tag) {
        change(old.element, old.shape, shape);
        old.shape = shape;
        old.seen = this.round;
        continue;
      }
      old?.element.remove();
      const element = svgElement(shape.tag, shape.at);
      if (shape.text !== undefined) element.textContent = shape.text;
      this.group.appendChild(element);
      this.drawn.set(shape.key, { element, shape, seen: this.round });
    }
    if (this.drawn.size === shapes.length) return;
    for (const [key, { element, seen }] of this.drawn) {
      if (seen === this.round) continue;
      element.remove();
      this.drawn.delete(key);
    }
  }
}

/** A number for the picture: two digits are enough. */
export const short = (value: number): number => Math.round(value * 100) / 100;
