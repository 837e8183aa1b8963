/** The sign-in form: a token, exchanged once for a cookie that scripts cannot read. */
import { useState } from "preact/hooks";
import { asApiError } from "../api/api-error.ts";
import { startSession } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import "./sign-in.css";
import { Mark } from "../ui/mark.tsx";

export function SignIn() {
  const [token, setToken] = useState("");
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (token.trim() === "") return setRefused("Enter a token first.");
    setBusy(true);
    try {
      await startSession(token.trim());
    } catch (failure) {
      const error = asApiError(failure);
      setRefused(error.status === 401 || error.status === 403 ? "This token is not valid here." : error.message);
      setBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form class="sign-in-card" onSubmit={submit}>
        <Mark size={36} />
        <h1>Sign in to Workspace</h1>
        <p class="faint">Use the server's token, or a token created for you.</p>
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
