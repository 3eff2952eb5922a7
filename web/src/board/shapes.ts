// Shapes, and how they get onto the screen. A layer is a list of shapes; an update touches those that differ from
// the previous list.

export type Attributes = Record<string, string | number>;

/** The order within a layer, from bottom to top: text is always visible. */
const TAGS = ["rect", "path", "circle", "text"] as const;
export type Tag = (typeof TAGS)[number];

export interface Shape {
  /** The key of the shape, unique within its layer: a shape with the same key is updated in place. */
  key: string;
  tag: Tag;
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
  if (from.text !== to.text) {
    // Keeping the text node saves layout.
    if (element.firstChild && to.text) element.firstChild.nodeValue = to.text;
    else element.textContent = to.text ?? "";
  }
}

/** One group of the picture with its shapes. */
export class Painter {
  readonly group: SVGElement;
  private readonly levels: Record<Tag, SVGElement>;
  private readonly drawn = new Map<string, Drawn>();
  private round = 0;

  constructor(name: string) {
    this.group = svgElement("g", { class: `layer-${name}` });
    const level = (): SVGElement => svgElement("g");
    this.levels = { rect: level(), path: level(), circle: level(), text: level() };
    for (const tag of TAGS) this.group.appendChild(this.levels[tag]);
  }

  /** The number of shapes. */
  get size(): number {
    return this.drawn.size;
  }

  paint(shapes: readonly Shape[]): void {
    this.round += 1;
    const fresh: Shape[] = [];
    for (const shape of shapes) {
      const old = this.drawn.get(shape.key);
      if (old !== undefined && old.shape.tag === shape.tag) this.update(old, shape);
      else fresh.push(shape);
    }
    if (this.drawn.size === shapes.length && fresh.length === 0) return;
    const spare = this.takeUnseen();
    for (const shape of fresh) {
      // Moving a circle or a text is cheaper than making one. Paths overlap and their order counts, so they are made
      // again.
      const reused = shape.tag === "path" ? undefined : spare[shape.tag].pop();
      if (reused !== undefined) this.update(reused, shape);
      this.drawn.set(shape.key, reused ?? this.create(shape));
    }
    for (const list of Object.values(spare)) for (const { element } of list) element.remove();
  }

  private update(old: Drawn, shape: Shape): void {
    change(old.element, old.shape, shape);
    old.shape = shape;
    old.seen = this.round;
  }

  private create(shape: Shape): Drawn {
    const element = svgElement(shape.tag, shape.at);
    if (shape.text !== undefined) element.textContent = shape.text;
    this.levels[shape.tag].appendChild(element);
    return { element, shape, seen: this.round };
  }

  /** Elements without a shape. */
  private takeUnseen(): Record<Tag, Drawn[]> {
    const unseen: Record<Tag, Drawn[]> = { rect: [], path: [], circle: [], text: [] };
    for (const [key, drawn] of this.drawn) {
      if (drawn.seen === this.round) continue;
      unseen[drawn.shape.tag].push(drawn);
      this.drawn.delete(key);
    }
    return unseen;
  }
}

/** A number for the picture: two digits are enough. */
export const short = (value: number): number => Math.round(value * 100) / 100;
