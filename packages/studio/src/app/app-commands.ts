/** Global keys and commands of a workspace. */
import { paletteOpen, registerCommands } from "../state/commands.ts";
import { go, VIEWS, type View } from "../state/route.ts";
import { toggleTheme } from "../state/theme.ts";

const LABELS: Record<View, string> = {
  files: "Show files",
  search: "Search in files",
  terminal: "Open the terminal",
  git: "Show git",
  activity: "Show activity",
  dashboard: "Show the dashboard",
};

export function registerAppCommands(): () => void {
  const withdraw = registerCommands([
    { id: "go-file", label: "Go to file…", keys: "mod P", group: "Go", run: () => openPalette("files") },
    ...VIEWS.map((view, i) => ({
      id: `view-${view}`,
      label: LABELS[view],
      keys: `Alt ${i + 1}`,
      group: "Go",
      run: () => go({ view }),
    })),
    { id: "workspaces", label: "All workspaces", group: "Go", run: () => go({ workspace: null }) },
    { id: "theme", label: "Switch between light and dark", group: "Look", run: toggleTheme },
  ]);
  addEventListener("keydown", onKey);
  return () => {
    withdraw();
    removeEventListener("keydown", onKey);
  };
}

function openPalette(mode: "files" | "commands"): void {
  // After the palette that ran this command has closed.
  setTimeout(() => {
    paletteOpen.value = mode;
  });
}

function onKey(event: KeyboardEvent): void {
  const mod = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (mod && !event.altKey && !event.shiftKey && (key === "p" || key === "k")) {
    event.preventDefault();
    paletteOpen.value = key === "p" ? "files" : "commands";
  } else if (mod && event.shiftKey && key === "f") {
    event.preventDefault();
    go({ view: "search" });
  } else if (mod && key === "`") {
    event.preventDefault();
    go({ view: "terminal" });
  } else if (event.altKey && !mod && /^Digit[1-6]$/.test(event.code)) {
    event.preventDefault();
    go({ view: VIEWS[Number(event.code.slice(5)) - 1] as View });
  }
}
