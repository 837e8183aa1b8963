/** axe on every view, light and dark, desktop and phone: nothing serious or critical. And the page from the keyboard alone. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DESKTOP, newWorkspace, openStudio, PHONE, type StudioPage, useBrowser } from "./studio.ts";
import type { WorkspaceApi } from "./workspace-api.ts";

useBrowser();

let api: WorkspaceApi;
beforeAll(async () => {
  api = await newWorkspace("axe", {
    "src/a.ts": "export const a = 1;\n",
    "README.md": "# Read\n\nme\n",
    "b.txt": "fox\n",
  });
  await api.git("init", "--initial-branch=main");
  await api.git("add", "b.txt");
  await api.git("commit", "-m", "a commit");
});

/** Serious and critical findings, each with where it is. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as axe.AxeResults;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
    );
}

const views: [name: string, hash: string, ready: (page: Page) => Promise<unknown>][] = [
  ["workspaces", "", (page) => page.getByRole("link", { name: api.name }).waitFor()],
  ["files", "files", (page) => page.getByRole("treeitem", { name: "src" }).waitFor()],
  ["editor", "files/src/a.ts", (page) => page.locator(".cm-content", { hasText: "export" }).waitFor()],
  ["search", "search", (page) => page.getByText("Search in every file").waitFor()],
  ["terminal", "terminal", (page) => page.locator(".xterm-rows").waitFor({ state: "attached" })],
  ["git", "git", (page) => page.getByRole("region", { name: "Changes" }).waitFor()],
  ["activity", "activity", (page) => page.getByRole("list", { name: "Timeline" }).locator(".moment").first().waitFor()],
  ["dashboard", "dashboard", (page) => page.locator(".plot").waitFor()],
];
const looks = [
  { label: "light", colorScheme: "light", viewport: DESKTOP },
  { label: "dark", colorScheme: "dark", viewport: DESKTOP },
  { label: "phone", colorScheme: "light", viewport: PHONE },
] as const;

describe.each(looks)("axe, $label", ({ label, colorScheme, viewport }) => {
  let studio: StudioPage;
  beforeAll(async () => {
    studio = await openStudio("#/", { colorScheme, viewport });
  });
  afterAll(() => studio[Symbol.asyncDispose]());

  it.each(views)("%s has nothing serious", async (name, hash, ready) => {
    const { page, shot } = studio;
    await page.evaluate(`location.hash = ${JSON.stringify(hash === "" ? "#/" : `#/w/${api.name}/${hash}`)}`);
    await ready(page);
    await shot(`${label}-${name}`);
    expect(await findings(page)).toEqual([]);
  });
});

describe("the keyboard", () => {
  it("reaches the content, the tree and a file without a mouse", async () => {
    await using studio = await openStudio(`#/w/${api.name}/files`);
    const { page } = studio;
    await page.getByRole("treeitem", { name: "src" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toContain("Skip to content");
    await page.getByRole("tree").focus();
    await page.keyboard.press("Home");
    // ".git" comes first.
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("treeitem", { name: "a.ts" }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.locator(".cm-content", { hasText: "export" }).waitFor();
    await page.keyboard.press("b");
    const active = await page.getByRole("tree").getAttribute("aria-activedescendant");
    expect(active).toBe("row-b.txt");
  });

  it("a phone shows one pane at a time, and nothing is wider than the screen", async () => {
    await using studio = await openStudio(`#/w/${api.name}/files`, { viewport: PHONE, hasTouch: true });
    const { page } = studio;
    for (const hash of ["files", "files/README.md", "search", "terminal", "git", "activity", "dashboard"]) {
      await page.evaluate(`location.hash = "#/w/${api.name}/${hash}"`);
      await page.waitForTimeout(400);
      expect([hash, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([hash, PHONE.width]);
    }
    await page.evaluate(`location.hash = "#/w/${api.name}/files"`);
    await page.getByRole("treeitem", { name: "README.md" }).tap();
    await page.locator(".cm-content").waitFor();
    expect(await page.getByRole("tree").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Back to the tree" }).tap();
    expect(await page.getByRole("tree").isVisible()).toBe(true);
  });
});
