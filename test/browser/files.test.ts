/** Files: make, edit, save, follow what others do, settle a conflict, upload, download, remove and bring back. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { newWorkspace, openStudio, useBrowser } from "./studio.ts";

useBrowser();

describe("files in the studio", () => {
  it("the studio creates an empty workspace, a file in it, and saves what is typed", async () => {
    await using studio = await openStudio("#/");
    const { page, shot } = studio;
    const name = `made-${Date.now().toString(36)}`;
    await page.getByRole("button", { name: "New workspace" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("No files yet").waitFor();
    await shot("empty-workspace");
    await page.getByRole("button", { name: "New file" }).click();
    await page.getByLabel("Path in the workspace").fill("notes/today.md");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.type("# Today\n\nA file of the *studio*.");
    await page.getByText("unsaved", { exact: true }).waitFor();
    await page.keyboard.press("Control+s");
    await page.getByText("unsaved", { exact: true }).waitFor({ state: "detached" });
    const { WorkspaceApi } = await import("./workspace-api.ts");
    const api = new WorkspaceApi(new URL(page.url()).origin, name);
    expect(await api.read("notes/today.md")).toBe("# Today\n\nA file of the *studio*.");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator(".markdown h1", { hasText: "Today" }).waitFor();
    await page.locator(".markdown em", { hasText: "studio" }).waitFor();
  });

  it("the tree follows files that other clients create, rename and remove", async () => {
    const api = await newWorkspace("live", { "src/one.ts": "1" });
    await using studio = await openStudio(`#/w/${api.name}/files/src/one.ts`);
    const { page } = studio;
    await page.getByText("Live", { exact: true }).waitFor();
    const row = (name: string) => page.getByRole("treeitem", { name, exact: true });
    await row("one.ts").waitFor();
    await api.write("src/two.ts", "2");
    await row("two.ts").waitFor();
    await api.write("docs/deep/three.md", "3");
    await row("docs").waitFor();
    await api.remove("src/two.ts");
    await row("two.ts").waitFor({ state: "detached" });
    await row("docs").click();
    await row("deep").waitFor();
  });

  it("an open file without edits shows what another client wrote", async () => {
    const api = await newWorkspace("takeover", { "a.txt": "first\n" });
    await using studio = await openStudio(`#/w/${api.name}/files/a.txt`);
    await studio.page.locator(".cm-content", { hasText: "first" }).waitFor();
    await studio.page.getByText("Live", { exact: true }).waitFor();
    await api.write("a.txt", "second\n");
    await studio.page.locator(".cm-content", { hasText: "second" }).waitFor();
  });

  it("a save after another client's change overwrites nothing, and the three-way view resolves it", async () => {
    const base = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
    const api = await newWorkspace("conflict", { "list.txt": base });
    await using studio = await openStudio(`#/w/${api.name}/files/list.txt`);
    const { page, shot } = studio;
    await page.locator(".cm-content", { hasText: "seven" }).waitFor();
    await page.locator(".cm-line", { hasText: "two" }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" of mine");
    // Theirs: the same line in another way, and one far from it that merges by itself.
    await api.write("list.txt", base.replace("two", "two of theirs").replace("seven", "seven of theirs"));
    await page.getByText("This file changed while you were editing it").waitFor();
    await page.keyboard.press("Control+s");
    await page.getByRole("region", { name: "Three-way merge" }).waitFor();
    expect(await api.read("list.txt")).toContain("two of theirs");
    await page.getByText("1 place where both changed the same lines").waitFor();
    await shot("three-way");
    expect(await page.getByRole("button", { name: "Save the result" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Take both" }).click();
    await page.getByRole("button", { name: "Save the result" }).click();
    await page.getByRole("region", { name: "Three-way merge" }).waitFor({ state: "detached" });
    await expect
      .poll(() => api.read("list.txt"))
      .toBe(base.replace("two\n", "two of mine\ntwo of theirs\n").replace("seven", "seven of theirs"));
  });

  it("line endings, a missing last one and a byte order mark survive an edit", async () => {
    const api = await newWorkspace("bytes", { "dos.txt": "\uFEFFa\r\nb\r\nc", "mixed.txt": "a\r\nb\nc\rd\n" });
    await using studio = await openStudio(`#/w/${api.name}/files/dos.txt`);
    const { page } = studio;
    const append = async (text: string) => {
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type(text);
      await page.keyboard.press("Control+s");
      await page.getByText("unsaved", { exact: true }).waitFor({ state: "detached" });
    };
    await append("!");
    const bytes = async (path: string) =>
      Buffer.from(await (await fetch(`${api.url}/files/${path}`)).arrayBuffer()).toString();
    await expect.poll(() => bytes("dos.txt")).toBe("\uFEFFa\r\nb\r\nc!");
    await page.getByRole("treeitem", { name: "mixed.txt" }).click();
    await page.getByRole("tab", { name: "mixed.txt" }).waitFor();
    await append("!");
    await expect.poll(() => bytes("mixed.txt")).toBe("a\r\nb\nc\rd\n!");
  });

  it("an upload replaces files only on request, and a download returns the same bytes", async () => {
    const api = await newWorkspace("upload", { "there.txt": "old" });
    await using studio = await openStudio(`#/w/${api.name}/files`);
    const { page } = studio;
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Upload files" }).click();
    const bytes = Buffer.from([0, 255, 1, 254]);
    await (await chooser).setFiles([
      { name: "new.bin", mimeType: "application/octet-stream", buffer: bytes },
      { name: "there.txt", mimeType: "text/plain", buffer: Buffer.from("new") },
    ]);
    await page.getByText("1 file uploaded.").waitFor();
    await page.getByText("1 file is there already: there.txt").waitFor();
    expect(await api.read("there.txt")).toBe("old");
    await page.getByRole("button", { name: "Replace" }).click();
    await expect.poll(() => api.read("there.txt")).toBe("new");
    await page.getByRole("treeitem", { name: "new.bin" }).click();
    await page.getByText("It is not text in UTF-8.").waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download", exact: true }).last().click();
    expect([...readFileSync(await (await saved).path())]).toEqual([...bytes]);
  });

  it("files dropped on a folder are uploaded into it", async () => {
    const api = await newWorkspace("drop", { "in/here.txt": "x" });
    await using studio = await openStudio(`#/w/${api.name}/files`);
    const { page } = studio;
    await page.getByRole("treeitem", { name: "in" }).waitFor();
    const data = await page.evaluateHandle(
      "(() => { const data = new DataTransfer(); data.items.add(new File(['dropped'], 'fell.txt')); return data; })()",
    );
    await page.getByRole("treeitem", { name: "in" }).dispatchEvent("drop", { dataTransfer: data });
    await page.getByText("1 file uploaded.").waitFor();
    expect(await api.read("in/fell.txt")).toBe("dropped");
  });

  it("a rename also renames the open tab", async () => {
    const api = await newWorkspace("rename", { "old.txt": "text" });
    await using studio = await openStudio(`#/w/${api.name}/files/old.txt`);
    const { page } = studio;
    await page.locator(".cm-content", { hasText: "text" }).waitFor();
    await page.getByRole("treeitem", { name: "old.txt" }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    await page.getByLabel("Path in the workspace").fill("kept/new.txt");
    await page.getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("tab", { name: "new.txt" }).waitFor();
    expect(await api.read("kept/new.txt")).toBe("text");
    expect(await api.maybeRead("old.txt")).toBeNull();
  });

  it("a missing file shows a message, and closing a tab with edits asks first", async () => {
    const api = await newWorkspace("states", { "a.txt": "text" });
    await using studio = await openStudio(`#/w/${api.name}/files/gone.txt`);
    const { page } = studio;
    await page.getByText("gone.txt could not be loaded").waitFor();
    await page.getByRole("treeitem", { name: "a.txt" }).click();
    await page.locator(".cm-content", { hasText: "text" }).click();
    await page.keyboard.type("more ");
    await page.getByTitle("Close a.txt").click();
    await page.getByText("has edits that are nowhere else").waitFor();
    await page.getByRole("button", { name: "Keep editing" }).click();
    await page.getByRole("tab", { name: "a.txt" }).waitFor();
  });
});
