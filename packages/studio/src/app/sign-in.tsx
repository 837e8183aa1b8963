/** The door: a token, exchanged once for a cookie that scripts cannot read. */
import { useState } from "preact/hooks";
import { asApiError } from "../api/api-error.ts";
import { enter } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import "./door.css";
import { Mark } from "./mark.tsx";

export function SignIn() {
  const [token, setToken] = useState("");
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (token.trim() === "") return setRefused("Enter a token first.");
    setBusy(true);
    try {
      await enter(token.trim());
    } catch (failure) {
      const error = asApiError(failure);
      setRefused(error.status === 401 || error.status === 403 ? "This token is not valid here." : error.message);
      setBusy(false);
    }
  };
  return (
    <main class="door">
      <form class="door-card" onSubmit={submit}>
        <Mark size={36} />
        <h1>Sign in to Workspace</h1>
        <p class="faint">With the server's token, or one that was made for you.</p>
        <Field
          label="Token"
          type="password"
          value={token}
          focus
          code
          error={refused}
          onInput={(value) => {
            setToken(value);
            setRefused(undefined);
          }}
        />
        <Button kind="primary" type="submit" label="Sign in" busy={busy} />
      </form>
    </main>
  );
}
