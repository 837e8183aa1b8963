/** A new workspace from the studio's list: from an archive of this machine, and what is said when that does not go. */
import { gzipSync } from "node:zlib";
import { describe, expect, inject, it } from "vitest";
import { newWorkspace, openStudio, useBrowser } from "./studio.ts";
import { tarOf } from "./tar-of.ts";
import { WorkspaceApi } from "./workspace-api.ts";

useBrowser();

const tgz = async (names: string[]) => ({
  name: "project.tar.gz",
  mimeType: "application/gzip",
  buffer: gzipSync(await tarOf(names)),
});

async function listed(name: string): Promise<boolean> {
  const { workspaces } = (await (await fetch(`${inject("url")}/api/workspaces`)).json()) as {
    workspaces: { name: string }[];
  };
  return workspaces.some((one) => one.name === name);
}

describe("a new workspace in the studio", () => {
  it("is created from an archive, whose files appear in its tree", async () => {
    const name = `archived-${Date.now().toString(36)}`;
    await using studio = await openStudio("#/");
    const { page, shot } = studio;
    await page.getByRole("button", { name: "New workspace" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Archive (optional)").setInputFiles(await tgz(["readme.txt", "src/a.ts"]));
    await shot("new-workspace");
    await page.getByRole("button", { name: "Create and unpack" }).click();
    await page.getByRole("treeitem", { name: "readme.txt" }).waitFor();
    await page.getByRole("treeitem", { name: "src" }).click();
    await page.getByRole("treeitem", { name: "a.ts" }).waitFor();
    const api = new WorkspaceApi(inject("url"), name);
    expect([await api.maybeRead("src/a.ts"), await api.maybeRead("src/b.ts")]).toEqual(["", null]);
  });

  it("is not created from a broken archive, another kind of file, or under a taken name", async () => {
    const name = `refused-${Date.now().toString(36)}`;
    const taken = await newWorkspace("taken", { "mine.txt": "as it was" });
    await using studio = await openStudio("#/");
    const { page } = studio;
    await page.getByRole("button", { name: "New workspace" }).first().click();
    const file = page.getByLabel("Archive (optional)");
    const create = page.getByRole("button", { name: "Create and unpack" });
    await page.getByLabel("Name", { exact: true }).fill(name);
    await file.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("hello") });
    await create.click();
    await page.getByText("That file cannot be unpacked here").waitFor();
    await file.setInputFiles({ name: "broken.zip", mimeType: "application/zip", buffer: Buffer.from("not a zip") });
    await create.click();
    await page.getByRole("alert").filter({ hasText: "zip" }).filter({ hasNotText: "choose a .zip" }).waitFor();
    expect(await listed(name)).toBe(false);
    await page.getByLabel("Name", { exact: true }).fill(taken.name);
    await file.setInputFiles(await tgz(["mine.txt"]));
    await create.click();
    await page.getByText(`there is a workspace "${taken.name}" already`).waitFor();
    expect(await taken.read("mine.txt")).toBe("as it was");
  });
});
