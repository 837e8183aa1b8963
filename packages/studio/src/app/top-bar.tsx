/** The top bar: the workspace's name, the palette, and page-wide actions. */
import { paletteOpen } from "../state/commands.ts";
import { notifyError } from "../state/notices.ts";
import { endSession, session } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Mark } from "../ui/mark.tsx";
import { ThemeButton } from "../ui/theme-button.tsx";
import "./top-bar.css";

const modifier = navigator.platform.startsWith("Mac") ? "⌘" : "Ctrl ";

export function TopBar({ name }: { name: string }) {
  const who = session.value.state === "in" ? session.value.who : null;
  return (
    <header class="top-bar">
      <a class="top-home" href="#/" title="All workspaces" aria-label="All workspaces">
        <Mark size={24} />
      </a>
      <h1 class="cut top-name">{name}</h1>
      {who?.readOnly && <span class="top-badge">read only</span>}
      <button type="button" class="top-find" onClick={() => (paletteOpen.value = "files")}>
        <Icon name="search" size={14} />
        <span class="cut">Go to file, or run a command</span>
        <kbd>{modifier}P</kbd>
      </button>
      <Button
        kind="quiet"
        icon="palette"
        label={`Commands (${modifier}K)`}
        onClick={() => (paletteOpen.value = "commands")}
      />
      <ThemeButton />
      {who !== null && !who.local && (
        <Button
          kind="quiet"
          icon="out"
          label="Sign out"
          onClick={() => endSession().catch((error) => notifyError("Not signed out", error))}
        />
      )}
    </header>
  );
}
