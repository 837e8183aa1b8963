/**
 * The open files, their order, and the current one. Documents live as long as their tab; edits are never dropped without asking.
 */
import { effect, signal } from "@preact/signals";
import { relative } from "../api/path.ts";
import { listen } from "./feed.ts";
import { FileDocument } from "./file-document.ts";
import { notifyError } from "./notices.ts";
import { go, route, workspace } from "./route.ts";
import { session } from "./session.ts";

export const tabs = signal<readonly FileDocument[]>([]);
/** The next cursor position of the editor: a line from 1, in this file. */
export const jump = signal<{ path: string; line: number; column: number } | null>(null);

export function openFile(path: string, place?: { line: number; column?: number }): void {
  if (place !== undefined) jump.value = { path, line: place.line, column: place.column ?? 0 };
  go({ view: "files", path });
}

export function activeDocument(): FileDocument | undefined {
  const { view, path } = route.value;
  return view === "files" ? tabs.value.find((tab) => tab.path === path) : undefined;
}

/** The caller has already asked about unsaved edits. */
export function closeTab(path: string): void {
  const at = tabs.value.findIndex((tab) => tab.path === path);
  if (at < 0) return;
  tabs.value = tabs.value.filter((tab) => tab.path !== path);
  if (route.value.view === "files" && route.value.path === path)
    go({ view: "files", path: (tabs.value[at] ?? tabs.value[at - 1])?.path ?? "" });
}

export function moveTab(from: string, to: string): void {
  for (const tab of tabs.value) {
    if (tab.path === from) tab.path = to;
    else if (tab.path.startsWith(`${from}/`)) tab.path = to + tab.path.slice(from.length);
    else continue;
  }
  const { path } = route.value;
  tabs.value = [...tabs.value];
  if (path === from || path.startsWith(`${from}/`)) go({ path: to + path.slice(from.length) }, { replace: true });
}

let owner: string | null = null;
effect(() => {
  if (workspace.value === owner) return;
  owner = workspace.value;
  tabs.value = [];
});

effect(() => {
  const { workspace: name, view, path } = route.value;
  // Before sign-in there is nothing to read; afterwards this runs again.
  if (
    session.value.state !== "in" ||
    name === null ||
    view !== "files" ||
    path === "" ||
    tabs.peek().some((tab) => tab.path === path)
  )
    return;
  const opened = new FileDocument(name, path);
  tabs.value = [...tabs.peek(), opened];
  opened.load();
});

function refresh(concerns: (path: string) => boolean): void {
  for (const tab of tabs.value)
    if (concerns(tab.path)) tab.refresh().catch((error) => notifyError(`${tab.path} could not be read again`, error));
}

listen({
  onChanges: (changes) => {
    const touched = new Set(changes.flatMap(({ path, from }) => [path, from ?? path]).map((path) => relative(path)));
    const covers = (path: string) =>
      touched.has(path) || [...touched].some((one) => one !== null && one !== "" && path.startsWith(`${one}/`));
    refresh(covers);
  },
  onLost: () => refresh(() => true),
});

addEventListener("beforeunload", (event) => {
  if (tabs.value.some((tab) => tab.dirty.value)) event.preventDefault();
});
