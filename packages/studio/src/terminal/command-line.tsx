/** The input line: a command, or stdin for the running one. Arrows browse the history; Ctrl C stops the running command. */
import { useEffect, useRef, useState } from "preact/hooks";
import { sendInput } from "../api/exec.ts";
import { notifyError } from "../state/notices.ts";
import { mayWrite } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import type { TerminalSession } from "./terminal-session.ts";

export function CommandLine({ session, selection }: { session: TerminalSession; selection: () => string }) {
  const [text, setText] = useState("");
  const [back, setBack] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const record = session.shown.value;
  const running = record?.state === "running";
  const feeds = running && session.keepsInput.value;
  useEffect(() => input.current?.focus(), []);
  const send = (event: Event) => {
    event.preventDefault();
    setText("");
    setBack(0);
    if (feeds && record) sendInput(session.workspace, record.id, `${text}\n`).catch(failed("The input was not taken"));
    else if (text.trim() !== "") session.run(text);
  };
  const recall = (step: number) => {
    const next = Math.max(0, Math.min(session.typed.length, back + step));
    setBack(next);
    setText(next === 0 ? "" : (session.typed.at(-next) ?? ""));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = input.current!.selectionStart !== input.current!.selectionEnd || selection() !== "";
    if (event.key === "ArrowUp") recall(1);
    else if (event.key === "ArrowDown") recall(-1);
    else if (event.ctrlKey && event.key === "c" && running && !chosen)
      session.kill("SIGINT").catch(failed("Not ended"));
    else if (event.ctrlKey && event.key === "l") session.clear();
    else if (event.ctrlKey && event.key === "d" && feeds && record)
      sendInput(session.workspace, record.id, "", true).catch(failed("The input was not ended"));
    else return;
    event.preventDefault();
  };
  return (
    <form class="command-line" onSubmit={send}>
      <span class="command-where code" aria-hidden="true">
        {feeds ? "input" : session.cwd.value || "~"} {feeds ? "›" : "$"}
      </span>
      <input
        ref={input}
        class="code"
        aria-label={feeds ? "Input for the running command" : "Command"}
        placeholder={mayWrite() ? "Type a command" : "This session is read-only"}
        disabled={!mayWrite()}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button
        kind="quiet"
        label="Keep input open"
        pressed={session.keepsInput.value}
        onClick={() => (session.keepsInput.value = !session.keepsInput.value)}
      >
        Input
      </Button>
      {running ? (
        <Button
          kind="danger"
          icon="stop"
          label="Stop"
          onClick={() => session.kill("SIGTERM").catch(failed("Not ended"))}
        >
          Kill
        </Button>
      ) : (
        <Button kind="primary" type="submit" icon="play" label="Run" disabled={text.trim() === ""}>
          Run
        </Button>
      )}
    </form>
  );
}

function failed(what: string): (error: unknown) => void {
  return (error) => notifyError(what, error);
}
