/** Previews: a command's server on a port, shown on its own origin, separate from the studio's. */
import { useState } from "preact/hooks";
import { asApiError } from "../api/api-error.ts";
import { closePort, listPorts, openPort } from "../api/ports.ts";
import { notifyError } from "../state/notices.ts";
import { mayWrite } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useLoaded } from "../ui/use-loaded.ts";

export function Ports({ workspace }: { workspace: string }) {
  const { value: ports = [], error: unread, reload } = useLoaded((signal) => listPorts(workspace, signal), [workspace]);
  const [port, setPort] = useState("");
  const [error, setError] = useState<string>();
  const open = async (event: Event) => {
    event.preventDefault();
    const number = Number(port);
    if (!Number.isInteger(number) || number < 1 || number > 65535) return setError("A number from 1 to 65535.");
    try {
      const { url } = await openPort(workspace, number);
      setPort("");
      setError(undefined);
      reload();
      window.open(url, "_blank", "noopener");
    } catch (failure) {
      const { message, hint } = asApiError(failure);
      setError([message.replace(/^[A-Z]+: /, ""), hint].filter(Boolean).join(". "));
    }
  };
  const close = (number: number) =>
    closePort(workspace, number).then(reload, (failure) => notifyError(`Port ${number} stays open`, failure));
  if (unread !== undefined && asApiError(unread).missing) return null;
  return (
    <section class="ports" aria-label="Ports">
      <h2>Preview a port</h2>
      <ul>
        {ports.map(({ port: number, url }) => (
          <li key={number}>
            <a href={url} target="_blank" rel="noopener noreferrer">
              {number}
            </a>
            <Button kind="quiet" icon="close" label={`Close port ${number}`} onClick={() => close(number)} />
          </li>
        ))}
      </ul>
      {mayWrite() && (
        <form onSubmit={open}>
          <Field label="Port" bare placeholder="3000" value={port} error={error} onInput={setPort} />
          <Button type="submit" icon="port" label="Open" children="Open" />
        </form>
      )}
    </section>
  );
}
