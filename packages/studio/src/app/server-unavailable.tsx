/** The server refuses all requests because it is not configured yet, or does not respond. */
import type { ApiError } from "../api/api-error.ts";
import { loadSession } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { Message } from "../ui/message.tsx";

export function ServerUnavailable({ error }: { error: ApiError }) {
  const unset = error.code === "NOT_CONFIGURED";
  const title = unset ? "This server has no token yet" : "The server does not answer";
  return (
    <main class="sign-in">
      <Message
        icon="warn"
        title={title}
        actions={
          <Button kind="primary" icon="refresh" label="Try again" children="Try again" onClick={() => loadSession()} />
        }
      >
        {unset ? "Set one with `npx wrangler secret put WORKSPACE_TOKEN`, then come back." : error.message}
        {error.hint && !unset && <span class="message-hint">{error.hint}</span>}
      </Message>
    </main>
  );
}
