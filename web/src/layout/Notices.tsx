// Notices at the edge of the page, and the live region that screen readers speak.

import { discardWaiting, isAway, isLate, waiting } from "../state/edits";
import { dismiss, notices, spoken } from "../state/notices";
import { shownMove } from "../state/shown-names";
import { W } from "../words";

/**
 * Moves that a slow or absent server has not stored. The notice covers the panes and not the board: if the board
 * moved under the pointer, the next click would go elsewhere.
 */
function Waiting() {
  if (!isLate.value || waiting.value.length === 0) return null;
  const words = W();
  const moves = waiting.value.map((edit) => shownMove(edit.move?.squares ?? [])).join(" / ");
  return (
    <div class="notice notice-waiting" role="status">
      <div class="notice-text">
        <p>{isAway.value ? words.waitingAway(moves) : words.waitingSlow(moves)}</p>
      </div>
      {isAway.value && (
        <button type="button" onClick={discardWaiting}>
          {words.discard}
        </button>
      )}
    </div>
  );
}

export function Notices() {
  return (
    <>
      <div class="notices">
        <Waiting />
        {notices.value.map((notice) => (
          <div key={notice.id} class={`notice notice-${notice.kind}`}>
            <div class="notice-text">
              <p>{notice.text}</p>
              {notice.detail && (
                <p class="muted" lang="en">
                  {notice.detail}
                </p>
              )}
              {notice.where && <pre>{notice.where}</pre>}
              {notice.help && <p class="muted">{notice.help}</p>}
            </div>
            {notice.action && (
              <button
                type="button"
                onClick={() => {
                  notice.action?.run();
                  dismiss(notice.id);
                }}
              >
                {notice.action.label}
              </button>
            )}
            <button type="button" class="plain" aria-label={W().close} onClick={() => dismiss(notice.id)}>
              ×
            </button>
          </div>
        ))}
      </div>
      <div class="unseen" role="status" aria-live="polite">
        {spoken.value}
      </div>
    </>
  );
}
