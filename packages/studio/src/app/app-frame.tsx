/** The open workspace: top bar, navigation on the left (at the bottom on a phone), the current view, and a status line. */
import { useEffect } from "preact/hooks";
import { Palette } from "../palette/palette.tsx";
import { view } from "../state/route.ts";
import { Sidebar } from "./sidebar.tsx";
import "./app-frame.css";
import { registerAppCommands } from "./app-commands.ts";
import { StatusLine } from "./status-line.tsx";
import { TopBar } from "./top-bar.tsx";
import { viewInfos } from "./views.tsx";

export function AppFrame({ name }: { name: string }) {
  const shown = viewInfos.find((info) => info.view === view.value) ?? viewInfos[0]!;
  useEffect(() => registerAppCommands(), []);
  useEffect(() => {
    document.title = `${name} · ${shown.label}`;
  }, [name, shown.label]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <TopBar name={name} />
      <Sidebar />
      <main id="main" class="shell-main" tabIndex={-1} aria-label={shown.label}>
        <shown.Component />
      </main>
      <StatusLine />
      <Palette />
    </div>
  );
}
