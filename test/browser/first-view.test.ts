/** The first view: how many bytes it is, and what is asked for it. How soon it is there is the bench's to say. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { newWorkspace, openStudio, useBrowser } from "./studio.ts";

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

  it("asks for no more than it shows: its own parts, who is there, and one level of the tree", async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`src/deep/${i}.ts`, "1"]));
    const api = await newWorkspace("first", { "README.md": "# Hello\n", ...files });
    await using studio = await openStudio(`#/w/${api.name}/files`);
    await studio.page.getByRole("treeitem", { name: "README.md" }).waitFor();
    const asked = await askedFor(studio.page);
    const parts = [...firstView().keys()].filter((path) => path !== "index.html").map((path) => `/${path}`);
    expect(asked.filter((path) => path.startsWith("/assets/")).sort()).toEqual(parts.sort());
    expect(asked.filter((path) => path.startsWith("/api")).sort()).toEqual(["/api/session", `/api/w/${api.name}/tree`]);
  });
});
