// One row of the tree.
import type { Row, Verdict } from "../../api/types";
import { jumpTo } from "../../state/document";
import { shownMove } from "../../state/shown-names";
import { W } from "../../words";
import { toggleFold } from "./TreePane";

export const ROW_HEIGHT = 26;
const INDENT_PX = 14;
/** The deepest indentation, so that deep variations stay visible. */
const INDENT_MAX = 12;

/** A verdict as a shape: a diamond in the winner's colour, hollow where it is inherited. */
export function VerdictSign({ verdict }: { verdict: Verdict }) {
  const words = verdict.because === "rules" ? W().rulesWin(verdict.winner) : W().provedWin(verdict.winner);
  return (
    <span class={`verdict ${verdict.winner} ${verdict.because}`} role="img" aria-label={words} title={words}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        {verdict.because === "rules" ? <circle cx="6" cy="6" r="4.6" /> : <path d="M6 .8 11.2 6 6 11.2 .8 6z" />}
      </svg>
    </span>
  );
}

interface Props {
  row: Row;
  isCurrent: boolean;
  onPath: boolean;
}

export function RowView({ row, isCurrent, onPath }: Props) {
  const words = W();
  const moves =
    row.stones.length > 0
      ? shownMove(row.stones)
      : row.turn === 0
        ? words.start
        : row.color === null
          ? words.setupMove
          : words.pass;
  const classes = ["row", isCurrent && "current", onPath && "on-path", row.linked && "linked"];
  return (
    <div
      class={classes.filter(Boolean).join(" ")}
      role="treeitem"
      aria-level={row.indent + 1}
      aria-selected={isCurrent}
      {...(row.branches > 0 ? { "aria-expanded": !row.folded } : {})}
      data-node={row.node}
      onClick={() => void jumpTo(row.node)}
      style={{ paddingLeft: `${8 + Math.min(row.indent, INDENT_MAX) * INDENT_PX}px` }}
    >
      {row.branches > 0 ? (
        <button
          type="button"
          class="fold"
          tabIndex={-1}
          aria-label={row.folded ? words.unfold : words.fold}
          title={words.branches(row.branches)}
          onClick={(event) => {
            event.stopPropagation();
            toggleFold(row.node);
          }}
        >
          {row.folded ? "▸" : "▾"}
        </button>
      ) : (
        <span class="fold" />
      )}
      <span class={`dot ${row.color ?? "none"}`} aria-label={row.color ? words.color(row.color) : undefined} />
      <span class="turn">{row.turn > 0 ? row.turn : ""}</span>
      <span class="moves">{moves}</span>
      {row.verdict && <VerdictSign verdict={row.verdict} />}
      {row.thrownAway && (
        <span class="thrown" role="img" aria-label={words.thrownAway} title={words.thrownAway}>
          ??
        </span>
      )}
      {row.linked && (
        <span class="same" role="img" aria-label={words.linkedRow} title={words.linkedRow}>
          ≡
        </span>
      )}
      {row.folded && <span class="more">+{row.branches}</span>}
      {row.text !== "" && <span class="row-text">{row.text}</span>}
    </div>
  );
}
