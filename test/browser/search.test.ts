/** Search as one types, hits in context, and the palette. */
import { describe, expect, it } from "vitest";
import { newWorkspace, openStudio, useBrowser } from "./studio.ts";

useBrowser();

const FILES = {
  "src/fox.ts": "// before\nconst fox = 'quick brown';\n// after\n",
  "src/über.ts": "const größe = 'Fox';\n",
  "docs/fox.md": "No hit in here.\n",
  "node/ignored.txt": "fox\n",
  ".gitignore": "node/\n",
};

describe("search in the studio", () => {
  it("search shows matches while typing, marked and in context, and opens the file", async () => {
    const api = await newWorkspace("search", FILES);
    await using studio = await openStudio(`#/w/${api.name}/search`);
    const { page, shot } = studio;
    await page.getByLabel("Search in the workspace").pressSequentially("fox");
    await page.getByText(/^2 hits in 2 files/).waitFor();
    expect(await page.locator("mark").allTextContents()).toEqual(["fox", "Fox"]);
    await page.locator(".hit-row.around", { hasText: "// before" }).waitFor();
    await shot("search");
    await page.getByRole("button", { name: "match case" }).click();
    await page.getByText(/^1 hit in 1 file/).waitFor();
    await page.locator(".hit-line").click();
    await page.getByRole("tab", { name: "fox.ts" }).waitFor();
    await page.locator(".cm-activeLine", { hasText: "const fox" }).waitFor();
  });

  it("search explains an invalid pattern and an empty result", async () => {
    const api = await newWorkspace("pattern", FILES);
    await using studio = await openStudio(`#/w/${api.name}/search`);
    const { page } = studio;
    await page.getByLabel("Search in the workspace").fill("nowhere at all");
    await page.getByText("Nothing found").waitFor();
    await page.getByRole("button", { name: "regular expression" }).click();
    await page.getByLabel("Search in the workspace").fill("(unclosed");
    await page.getByText("Search could not be loaded").waitFor();
  });

  it("the palette opens a file by part of its name and runs commands, with the keyboard only", async () => {
    const api = await newWorkspace("palette", FILES);
    await using studio = await openStudio(`#/w/${api.name}/files`);
    const { page, shot } = studio;
    await page.getByRole("treeitem", { name: "src" }).waitFor();
    await page.keyboard.press("Control+p");
    await page.keyboard.type("foxts");
    await page.getByRole("option", { name: /fox\.ts/ }).waitFor();
    await shot("palette");
    await page.keyboard.press("Enter");
    await page.locator(".cm-content", { hasText: "quick brown" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("dashboard");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toMatch(/\/dashboard$/);
    await page.keyboard.press("Alt+2");
    await expect.poll(() => page.url()).toMatch(/\/search$/);
  });
});
