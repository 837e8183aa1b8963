/** The current route, stored in the URL's hash, so that links and the back button work: `#/w/demo/files/src/a.ts`. */
import { computed, signal } from "@preact/signals";

export const VIEWS = ["files", "search", "terminal", "git", "activity", "dashboard"] as const;
export type View = (typeof VIEWS)[number];

export interface Route {
  /** Null: the list of workspaces. */
  workspace: string | null;
  view: View;
  /** The rest: for files the open file, for other views their own state. */
  path: string;
}

export const route = signal<Route>(parse(location.hash));
export const workspace = computed(() => route.value.workspace);
export const view = computed(() => route.value.view);

addEventListener("hashchange", () => {
  route.value = parse(location.hash);
});

export function go(to: Partial<Route>, { replace = false } = {}): void {
  const { workspace: from } = route.value;
  const next: Route = { workspace: from, view: route.value.view, path: "", ...to };
  const hash = routeHash(next);
  if (hash === location.hash) return;
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  route.value = next;
}

export function routeHash({ workspace: name, view: shown, path }: Route): string {
  if (name === null) return "#/";
  const rest = path === "" ? "" : `/${path.split("/").map(encodeURIComponent).join("/")}`;
  return `#/w/${encodeURIComponent(name)}/${shown}${rest}`;
}

function parse(hash: string): Route {
  const [, w, name, shown, ...rest] = hash.slice(1).split("/").map(decoded);
  if (w !== "w" || !name) return { workspace: null, view: "files", path: "" };
  const known = VIEWS.find((one) => one === shown) ?? "files";
  return { workspace: name, view: known, path: rest.join("/") };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
