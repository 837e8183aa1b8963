/** Activity and the dashboard: what happened, its difference, one click to take it back, and the numbers. */
import { describe, expect, it } from "vitest";
import { newWorkspace, openStudio, useBrowser } from "./studio.ts";

useBrowser();

describe("activity in the studio", () => {
  it("a save appears with its author and diff, and one click undoes it", async () => {
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

  it("every tool call appears with actor, input, duration and cost: a change, a read, and a refused call", async () => {
    const api = await newWorkspace("tools", { "a.txt": "one\n" });
    await api.tool("write", { path: "b.txt", content: "two\n" }, "coder");
    await api.tool("grep", { pattern: "one" }, "coder");
    await api.tool("read", { path: "/etc/passwd" }, "coder");
    await api.git("init", "-q");
    await using studio = await openStudio(`#/w/${api.name}/activity`);
    const { page } = studio;
    const cost = /\d+ m?s · .*\d+ rows? read, \d+ written/;
    for (const title of ["write b.txt", "grep one", "read /etc/passwd", "Created a.txt", "Git wrote its repository"])
      await page.locator(".moment", { hasText: title }).getByText(cost).waitFor();
    const written = page.locator(".moment", { hasText: "write b.txt" });
    await written.getByRole("button", { name: "http:local/coder/tools" }).waitFor();
    await written.getByRole("button", { name: "write b.txt" }).first().click();
    await written.locator(".patch-added", { hasText: "two" }).waitFor();
    await page.locator(".moment", { hasText: "read /etc/passwd" }).getByText("refused: OUTSIDE_ROOT").waitFor();
    expect(await page.getByRole("button", { name: "Undo: grep one" }).count()).toBe(0);
    // What git keeps for itself is folded away.
    await page.locator(".moment-what", { hasText: "Git wrote its repository" }).click();
    await page.getByText(/\d+ paths of git's own repository/).waitFor();
    expect(await page.getByText(".git/HEAD").isVisible()).toBe(false);
    await written.getByRole("button", { name: "Undo: write b.txt" }).click();
    await expect.poll(() => api.maybeRead("b.txt")).toBeNull();
  });

  it("an undo reports a later conflicting change, and merges on request", async () => {
    const text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    const api = await newWorkspace("undo", { "n.txt": text });
    const save = (body: string, call: string) =>
      fetch(`${api.url}/files/n.txt`, { method: "PUT", body, headers: { "X-Workspace-Call": call } });
    await save(text.replace("2", "two"), "first-call");
    await save(text.replace("2", "two").replace("8", "eight"), "second-call");
    await using studio = await openStudio(`#/w/${api.name}/activity`);
    const { page } = studio;
    await page.getByRole("button", { name: "Undo: Wrote n.txt" }).nth(1).click();
    await page.getByText("Later changes conflict with this undo").waitFor();
    expect(await api.read("n.txt")).toContain("two");
    await page.getByRole("button", { name: "Merge" }).click();
    await expect.poll(() => api.read("n.txt")).toBe(text.replace("8", "eight"));
  });

  it("the notice after a removal restores the file", async () => {
    const api = await newWorkspace("remove", { "docs/a.txt": "a", "docs/b.txt": "b" });
    await using studio = await openStudio(`#/w/${api.name}/files`);
    const { page } = studio;
    await page.getByRole("treeitem", { name: "docs" }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByRole("treeitem", { name: "docs" }).waitFor({ state: "detached" });
    expect(await api.maybeRead("docs/a.txt")).toBeNull();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Restored docs.").waitFor();
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
    const line = page.locator(".way code").first();
    const curl = ((await line.textContent()) ?? "").replace(/^curl /, "");
    expect(await (await fetch(curl)).json()).toMatchObject({ entries: [{ name: "a.txt" }, { name: "src" }] });
    await shot("dashboard");
  });
});
