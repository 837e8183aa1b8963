/** Notices at the bottom of the page; screen readers announce them. */
import { dismiss, notices } from "../state/notices.ts";
import { Button } from "../ui/button.tsx";
import "./notice-list.css";

export function NoticeList() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((notice) => (
        <div key={notice.id} class={`notice ${notice.kind}`}>
          <div class="notice-text">
            <p>{notice.text}</p>
            {notice.hint && <p class="faint">{notice.hint}</p>}
          </div>
          {notice.action && (
            <Button
              label={notice.action.label}
              onClick={() => {
                dismiss(notice.id);
                notice.action?.run();
              }}
            />
          )}
          <Button kind="quiet" icon="close" label="Dismiss" onClick={() => dismiss(notice.id)} />
        </div>
      ))}
    </div>
  );
}
