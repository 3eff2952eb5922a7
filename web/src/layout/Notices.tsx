// Notices at the edge of the page, and the live region that screen readers speak.
import { dismiss, notices, spoken } from "../state/notices";
import { W } from "../words";

export function Notices() {
  return (
    <>
      <div class="notices">
        {notices.value.map((notice) => (
          <div key={notice.id} class={`notice notice-${notice.kind}`}>
            <div class="notice-text">
              <p>{notice.text}</p>
              {notice.detail && <p class="muted" lang="en">{notice.detail}</p>}
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
