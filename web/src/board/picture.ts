// The picture of a scene: an SVG element whose layers are redrawn only where the scene has changed.
import { boardLayers } from "./layers";
import type { Layer, Scene } from "./scene";
import { Painter, svgElement } from "./shapes";

interface Part {
  layer: Layer;
  painter: Painter;
  deps: readonly unknown[];
}

const PATTERN = { id: "hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse" };

/** The hatched pattern and the gradients of the stones; the style sheet has their colours. */
function definitions(): SVGElement {
  const defs = svgElement("defs");
  const pattern = svgElement("pattern", { ...PATTERN, patternTransform: "rotate(45)" });
  pattern.appendChild(svgElement("path", { d: "M0 0V7", class: "hatch-line" }));
  defs.appendChild(pattern);
  for (const color of ["black", "white"]) {
    const shade = svgElement("radialGradient", { id: `${color}-shade`, cx: 0.36, cy: 0.32, r: 0.75 });
    shade.appendChild(svgElement("stop", { offset: 0, class: `${color}-light` }));
    shade.appendChild(svgElement("stop", { offset: 1, class: `${color}-dark` }));
    defs.appendChild(shade);
  }
  return defs;
}

export class Picture {
  readonly root: SVGElement;
  private readonly svg: SVGElement;
  private readonly parts: Part[];
  private box = "";

  constructor(svg: SVGElement) {
    this.svg = svg;
    this.root = svgElement("g", { id: "board-root" });
    this.parts = boardLayers.map((layer) => ({ layer, painter: new Painter(layer.name), deps: [] }));
    for (const { painter } of this.parts) this.root.appendChild(painter.group);
    svg.append(definitions(), this.root);
  }

  /** Elements in the picture. */
  get size(): number {
    return this.parts.reduce((sum, part) => sum + part.painter.size, 0);
  }

  draw(scene: Scene): void {
    const box = `0 0 ${scene.frame.width} ${scene.frame.height}`;
    if (box !== this.box) {
      this.box = box;
      this.svg.setAttribute("viewBox", box);
    }
    for (const part of this.parts) {
      const deps = part.layer.deps(scene);
      const same = deps.length === part.deps.length && deps.every((dep, i) => dep === part.deps[i]);
      if (same) continue;
      part.deps = deps;
      part.painter.paint(part.layer.shapes(scene));
    }
  }
}
