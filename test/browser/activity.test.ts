/** Activity and the dashboard: what happened, its difference, one click to take it back, and the numbers. */
import { describe, expect, it } from "vitest";
import { newWorkspace, openStudio, useBrowser } from "./studio.ts";

useBrowser();

describe("activity in the studio", () => {
  it("a save shows with who did it and its difference, and one click takes it back", async () => {
    const api = await newWorkspace("activity", { "a.txt": "one\ntwo\n" });
    await using studio = await openStudio(`#/w/${api.name}/files/a.txt`);
    const { page, shot } = studio;
    await page.locator(".cm-line", { hasText: "two" }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" and more");
    await page.keyboard.press("Control+s");
    await expect.poll(() => api.read("a.txt")).toBe("one\ntwo and more\n");
    await page.getByRole("link", { name: "Activity" }).click();
    const moment = page.locator(".moment", { hasText: "Wrote a.txt" }).first();
    await moment.getByText("http:local/studio").waitFor();
    await moment.getByText(/\d+ m?s · .*[1-9]\d* rows read, [1-9]\d* written/).waitFor();
    await moment.getByRole("button", { name: "Wrote a.txt" }).first().click();
    await moment.locator(".patch-removed", { hasText: "two" }).waitFor();
    await moment.locator(".patch-added", { hasText: "two and more" }).waitFor();
    await shot("activity");
    await moment.getByRole("button", { name: "Undo: Wrote a.txt" }).click();
    await page.getByText(/^Undone: Wrote a.txt/).waitFor();
    expect(await api.read("a.txt")).toBe("one\ntwo\n");
  });

  it("a later change in the way is said, and merged on request", async () => {
    const text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    const api = await newWorkspace("undo", { "n.txt": text });
    const save = (body: string, call: string) =>
      fetch(`${api.url}/files/n.txt`, { method: "PUT", body, headers: { "X-Workspace-Call": call } });
    await save(text.replace("2", "two"), "first-call");
    await save(text.replace("2", "two").replace("8", "eight"), "second-call");
    await using studio = await openStudio(`#/w/${api.name}/activity`);
    const { page } = studio;
    await page.getByRole("button", { name: "Undo: Wrote n.txt" }).nth(1).click();
    await page.getByText("Something later is in the way").waitFor();
    expect(await api.read("n.txt")).toContain("two");
    await page.getByRole("button", { name: "Merge" }).click();
    await expect.poll(() => api.read("n.txt")).toBe(text.replace("8", "eight"));
  });

  it("what was removed is brought back from the notice", async () => {
    const api = await newWorkspace("remove", { "docs/a.txt": "a", "docs/b.txt": "b" });
    await using studio = await openStudio(`#/w/${api.name}/files`);
    const { page } = studio;
    await page.getByRole("treeitem", { name: "docs" }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByRole("treeitem", { name: "docs" }).waitFor({ state: "detached" });
    expect(await api.maybeRead("docs/a.txt")).toBeNull();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("docs is back.").waitFor();
    expect(await api.read("docs/b.txt")).toBe("b");
    await page.getByRole("treeitem", { name: "docs" }).waitFor();
  });

  it("the dashboard counts files, plots changes and lists what calls cost", async () => {
    const api = await newWorkspace("dashboard", { "a.txt": "x".repeat(1000), "src/b.txt": "y".repeat(500) });
    await using studio = await openStudio(`#/w/${api.name}/dashboard`);
    const { page, shot } = studio;
    await page.locator(".figure", { hasText: "Size of files" }).getByText("1.5 KB").waitFor();
    await page
      .locator(".figure", { hasText: /^Files/ })
      .getByText("2", { exact: false })
      .waitFor();
    expect(await page.locator(".plot-bar").count()).toBe(48);
    await page.getByRole("rowheader", { name: "writeFile" }).waitFor();
    await shot("dashboard");
  });
});
