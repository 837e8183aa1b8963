/** An empty state: what is missing and what to do about it. Also for errors, and for parts that this server lacks. */
import type { ComponentChildren } from "preact";
import { asApiError } from "../api/api-error.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import "./message.css";

interface MessageProps {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
  actions?: ComponentChildren;
  small?: boolean;
}

export function Message({ icon, title, children, actions, small = false }: MessageProps) {
  return (
    <div class={`message ${small ? "small" : ""}`}>
      <span class="message-icon">
        <Icon name={icon} size={small ? 18 : 24} />
      </span>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div class="message-actions">{actions}</div>}
    </div>
  );
}

interface FailureProps {
  what: string;
  error: unknown;
  retry?: () => void;
  small?: boolean;
}

/** An error message. A missing route is not the user's error: it names the missing part. */
export function Failure({ what, error, retry, small }: FailureProps) {
  const failed = asApiError(error);
  const again = retry && <Button label="Try again" icon="refresh" children="Try again" onClick={retry} />;
  if (failed.missing)
    return (
      <Message icon="clock" title={`${what} is not on this server`} actions={again} small={small}>
        The Worker that serves this page was built without that part of the API. Everything else works.
      </Message>
    );
  return (
    <div role="alert">
      <Message icon="warn" title={`${what} could not be loaded`} actions={again} small={small}>
        {failed.message}
        {failed.hint && <span class="message-hint">{failed.hint}</span>}
      </Message>
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <div class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      <span>Loading {what}…</span>
    </div>
  );
}
