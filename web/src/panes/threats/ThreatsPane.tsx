// Threats and patterns of both sides, and the squares that must be answered on. The pane starts no search; F4 looks
// for a win by threats.
import type { Color, SquareName } from "../../api/types";
import { node } from "../../state/document";
import { hideLine, setOverlay, showLine } from "../../state/overlay";
import { layers } from "../../state/view";
import { W } from "../../words";
import { Line, Stone } from "../Move";
import { threatWin } from "../solve/actions";
import { type Side, threats, urgency } from "./state";
import "./ThreatsPane.css";

/** The largest number of chips: a crowded board has hundreds of patterns. */
const CHIPS_MAX = 40;

const light = (color: Color, squares: SquareName[], empties: SquareName[]): void =>
  setOverlay("threat-hover", { threats: [{ color, squares, empties }] });
const unlight = (): void => setOverlay("threat-hover", null);

interface ChipProps {
  color: Color;
  label: string;
  squares: SquareName[];
  empties: SquareName[];
}

/** A line of squares by name; the board highlights it under the pointer or the focus. */
function Chip({ color, label, squares, empties }: ChipProps) {
  const on = (): void => light(color, squares, empties);
  return (
    <button type="button" class="chip" onMouseEnter={on} onFocus={on} onMouseLeave={unlight} onBlur={unlight}>
      {label}{" "}
      <span class="muted">
        {squares[0]}–{squares[squares.length - 1]}
      </span>
    </button>
  );
}

function SideView({ side }: { side: Side }) {
  const words = W().threats;
  return (
    <section class="threat-side">
      <h3>
        <Stone color={side.color} /> {words.side(side.color, side.number)}
      </h3>
      {side.threats.length > 0 && (
        <p class="chips">
          {side.threats.slice(0, CHIPS_MAX).map((threat, i) => (
            <Chip key={i} color={side.color} label={words.threat(threat.empties.join(" "))} {...threat} />
          ))}
        </p>
      )}
      {side.mustAnswer.length > 0 && (
        <p class="small">
          <strong>{words.mustAnswer}</strong> {side.mustAnswer.join(" ")}
        </p>
      )}
      {side.patterns.length > 0 && (
        <p class="chips" aria-label={words.patterns}>
          {side.patterns.slice(0, CHIPS_MAX).map((pattern, i) => (
            <Chip
              key={i}
              color={side.color}
              label={pattern.kind === "live" ? words.live(pattern.l) : words.dead(pattern.l)}
              squares={pattern.squares}
              empties={pattern.squares.filter((square) => !pattern.stones.includes(square))}
            />
          ))}
        </p>
      )}
    </section>
  );
}

function WinningLine() {
  const words = W().threats;
  const at = node.value;
  if (at === null) return null;
  const result = at.results.find((one) => one.outcome === "proved" && one.line.length > 0);
  if (result === undefined) {
    if (at.position.winner !== null) return null;
    return (
      <button type="button" onClick={() => void threatWin()}>
        {words.findLine}
      </button>
    );
  }
  const show = (): void => showLine("threats", at.position.toMove, result.line);
  return (
    <section>
      <h3>{words.line}</h3>
      <button
        type="button"
        class="line-button"
        onMouseEnter={show}
        onFocus={show}
        onClick={show}
        onMouseLeave={() => hideLine("threats")}
      >
        <Line first={at.position.toMove} line={result.line} />
      </button>
      <p class="muted small">{words.lineHint}</p>
    </section>
  );
}

export function ThreatsPane() {
  const words = W().threats;
  const found = threats.value;
  const at = node.value;
  const sides = found !== null && found.node === at?.id ? found.threats.sides : [];
  const urgent = at === null ? "" : urgency(sides, at.position);
  return (
    <div class="threats-pane scroll">
      <label class="check">
        <input
          type="checkbox"
          checked={layers.threats.value}
          onChange={(event) => {
            layers.threats.value = event.currentTarget.checked;
          }}
        />
        {words.layer}
      </label>
      {urgent !== "" && <p class="urgent">{urgent}</p>}
      {sides.map((side) => (
        <SideView key={side.color} side={side} />
      ))}
      <WinningLine />
    </div>
  );
}
