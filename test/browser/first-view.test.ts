/** The first view: its size, its requests, and how soon it appears. The time is reported and saved, but not asserted. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { artifacts, newWorkspace, openStudio, useBrowser } from "./studio.ts";

useBrowser();

const dist = join(import.meta.dirname, "../../packages/studio/dist");
const LIMIT = 300 * 1024;

/** The page, what it names, and what that imports before it runs: all that stands before the first view. */
function firstView(): Map<string, number> {
  const sizes = new Map<string, number>();
  const add = (path: string) => {
    if (sizes.has(path)) return;
    const text = readFileSync(join(dist, path), "utf8");
    sizes.set(path, gzipSync(text).length);
    const named = path.endsWith(".html")
      ? text.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)
      : text.matchAll(/(?:^|[;}\s])(?:import|export)\s*(?:[^"'();]*?from)?\s*"\.\/([^"]+)"/g);
    for (const [, target] of named) add(path.endsWith(".html") ? (target as string) : `assets/${target}`);
  };
  add("index.html");
  return sizes;
}

/** What the page asked for, but for pictures and fonts, as paths without their queries. */
async function askedFor(page: Page): Promise<string[]> {
  const urls = (await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")) as string[];
  return urls.map((url) => new URL(url).pathname).filter((path) => !/\.(svg|png|woff2)$/.test(path));
}

/** Notes when the tree's first file is painted, in milliseconds since the page was asked for. */
const NOTE_FIRST = `
  new MutationObserver((_, observer) => {
    if (document.querySelector('[role="treeitem"]:not([aria-disabled])') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.shown = Math.round(performance.now()))));
  }).observe(document, { subtree: true, childList: true });
`;

describe("the first view", () => {
  it("is under 300 KB gzipped, without the editor, the terminal and the preview", () => {
    const sizes = firstView();
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    console.log(`first view: ${(total / 1024).toFixed(1)} KiB gzipped in ${sizes.size} files`);
    expect(sizes.size).toBeGreaterThan(2);
    expect(total).toBeLessThan(LIMIT);
    const code = [...sizes.keys()]
      .filter((path) => path.endsWith(".js"))
      .map((path) => readFileSync(join(dist, path), "utf8"));
    // Class names that the heavy parts cannot do without.
    for (const word of ["cm-content", "xterm-rows", "ALLOWED_URI_REGEXP"])
      expect(code.some((text) => text.includes(word))).toBe(false);
  });

  it("requests only its own parts, the session, and one level of the tree", async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`src/deep/${i}.ts`, "1"]));
    const api = await newWorkspace("first", { "README.md": "# Hello\n", ...files });
    await using studio = await openStudio(`#/w/${api.name}/files`);
    await studio.page.getByRole("treeitem", { name: "README.md" }).waitFor();
    const requested = await askedFor(studio.page);
    const parts = [...firstView().keys()].filter((path) => path !== "index.html").map((path) => `/${path}`);
    expect(requested.filter((path) => path.startsWith("/assets/")).sort()).toEqual(parts.sort());
    expect(requested.filter((path) => path.startsWith("/api")).sort()).toEqual([
      "/api/session",
      `/api/w/${api.name}/tree`,
    ]);
    // Both at once: the one does not wait for the answer to the other.
    const [session, tree] = (await studio.page.evaluate(
      `["/api/session", "/tree?"].map((part) => {
        const { startTime, responseEnd } = performance.getEntriesByType("resource").find(({ name }) => name.includes(part));
        return { startTime, responseEnd };
      })`,
    )) as { startTime: number; responseEnd: number }[];
    expect(tree?.startTime).toBeLessThan(session?.responseEnd ?? 0);
  });

  it("shows the tree's files soon after the first request, with an empty cache", async () => {
    const api = await newWorkspace("soon", { "README.md": "# Hello\n", "src/index.ts": "export {};\n" });
    const times: number[] = [];
    for (let i = 0; i < 7; i++) {
      await using studio = await openStudio(`#/w/${api.name}/files`, { before: NOTE_FIRST });
      // Evaluated by the debugger, not by the page, whose policy allows no strings as code.
      await expect.poll(() => studio.page.evaluate<number | undefined>("window.shown")).toBeGreaterThan(0);
      times.push(await studio.page.evaluate<number>("window.shown"));
    }
    const [best, median] = [Math.min(...times), times.toSorted((a, b) => a - b)[3]];
    console.log(`first view: there after ${median} ms (median of ${times.length}), ${best} at best`);
    writeFileSync(join(artifacts, "first-view.json"), `${JSON.stringify({ median, best, times })}\n`);
  });
});
