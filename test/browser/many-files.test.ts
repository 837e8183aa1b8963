/** 50 000 files: the tree draws only what is on the screen, and as few rows while it scrolls through all of them as through a few. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { newWorkspace, openStudio, useBrowser } from "./studio.ts";
import { tarOf } from "./tar-of.ts";

useBrowser();

const FEW = 1000;
const MANY = 50_000;
const STEPS = 120;

const nameOf = (i: number) => `file-${String(i).padStart(5, "0")}.txt`;

/** Opens a folder, waits until all of it is there, and scrolls to its end in so many frames: the most rows that were there at once. */
async function scrollThrough(page: Page, folder: string, count: number): Promise<number> {
  await page.getByRole("treeitem", { name: folder, exact: true }).click();
  const first = page.getByRole("treeitem", { name: nameOf(0) });
  await expect.poll(() => first.getAttribute("aria-setsize"), { timeout: 90_000 }).toBe(String(count));
  return (await page.evaluate(`(async () => {
    const tree = document.querySelector("[role=tree]");
    const end = tree.scrollHeight - tree.clientHeight;
    let most = 0;
    for (let i = 1; i <= ${STEPS}; i++) {
      tree.scrollTop = (end * i) / ${STEPS};
      await new Promise(requestAnimationFrame);
      most = Math.max(most, document.querySelectorAll("[role=treeitem]").length);
    }
    return most;
  })()`)) as number;
}

describe("many files in the studio", () => {
  it("a folder of 50 000 files renders as many rows as one of 1 000, and scrolls to its last file", {
    timeout: 180_000,
  }, async () => {
    const api = await newWorkspace("many");
    const names = Array.from({ length: MANY }, (_, i) => nameOf(i));
    const [few1000, many50000] = [await tarOf(names.slice(0, FEW)), await tarOf(names)];
    await api.unpack("few", few1000);
    await api.unpack("many", many50000);
    await using studio = await openStudio(`#/w/${api.name}/files`);
    const { page } = studio;
    const few = await scrollThrough(page, "few", FEW);
    await page.getByRole("tree").press("Home");
    await page.getByRole("treeitem", { name: "few", exact: true }).click();
    const many = await scrollThrough(page, "many", MANY);
    expect(few).toBeGreaterThan(20);
    expect(many).toBeLessThan(100);
    // A row or two more where it stands between two.
    expect(many).toBeLessThanOrEqual(few + 2);
    await page.getByRole("treeitem", { name: nameOf(MANY - 1) }).click();
    await page.getByRole("tab", { name: nameOf(MANY - 1) }).waitFor();
  });
});
