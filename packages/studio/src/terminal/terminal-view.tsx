/** The terminal: past commands on the left, the selected one's output on the right, and the input line. */
import { useEffect, useRef, useState } from "preact/hooks";
import { workspace } from "../state/route.ts";
import { theme } from "../state/theme.ts";
import { Button } from "../ui/button.tsx";
import { Failure, Message } from "../ui/message.tsx";
import { Split } from "../ui/split.tsx";
import { CommandLine } from "./command-line.tsx";
import { CommandList } from "./command-list.tsx";
import { CommandOutcome } from "./command-outcome.tsx";
import { Ports } from "./ports.tsx";
import { TerminalScreen } from "./terminal-screen.ts";
import { TerminalSession } from "./terminal-session.ts";
import "./terminal.css";

let session: TerminalSession | null = null;
function openTerminal(name: string): TerminalSession {
  if (session?.workspace !== name) session = new TerminalSession(name);
  return session;
}

export function TerminalView() {
  const current = openTerminal(workspace.value as string);
  const element = useRef<HTMLDivElement>(null);
  const screen = useRef<TerminalScreen | null>(null);
  useEffect(() => {
    const created = new TerminalScreen(element.current!);
    screen.current = created;
    current.attach(created);
    return () => {
      current.detach();
      created.dispose();
      screen.current = null;
    };
  }, [current]);
  const colors = theme.value;
  useEffect(() => {
    if (colors) screen.current?.recolor();
  }, [colors]);
  const [listed, setListed] = useState(false);
  const side = (
    // On a phone the list covers the screen until a command is selected.
    <div class="terminal-side">
      <Button
        class="only-narrow"
        kind="quiet"
        icon="left"
        label="Back to the terminal"
        onClick={() => setListed(false)}
      >
        Back to the terminal
      </Button>
      <CommandList session={current} onChoose={() => setListed(false)} />
      <Ports workspace={current.workspace} />
    </div>
  );
  return (
    <Split class={`terminal ${listed ? "terminal-listed" : ""}`} side={side} label="Width of the list of commands">
      <CommandOutcome session={current} onList={() => setListed(true)} />
      {current.error.value !== undefined && <Failure what="Running commands" error={current.error.value} small />}
      <div class="terminal-screen" ref={element} />
      {!current.used.value && current.error.value === undefined && (
        <div class="terminal-empty">
          <Message icon="terminal" title="Run a command">
            Try <code>ls -la</code> or <code>echo hello &gt; hello.txt</code>. What it prints shows here as it comes,
            and what it changed can be undone. <kbd>↑</kbd> brings back what was typed before.
          </Message>
        </div>
      )}
      <CommandLine session={current} selection={() => screen.current?.selection() ?? ""} />
    </Split>
  );
}
