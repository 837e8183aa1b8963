/** A Mastra agent, with a model that plays a script, works on a workspace through Mastra's own workspace tools. */
import { asMastraFilesystem } from "@cloudflare/workspace/adapters/mastra";
import * as mastra from "@mastra/core/workspace";
import { describe, expect, it } from "vitest";
import { createAgent } from "./examples/mastra.ts";
import { type ScriptStep, scriptedModel } from "./scripted-model.ts";
import { PLACES, withWorkspace } from "./with-workspace.ts";

describe.each(PLACES)("Mastra on a workspace %s", (place) => {
  it("an agent's workspace tools write, read, edit, list, grep and delete (the guide's example)", () =>
    withWorkspace(place, async (workspace) => {
      const { FILESYSTEM } = mastra.WORKSPACE_TOOLS;
      const steps: ScriptStep[] = [
        { tool: FILESYSTEM.WRITE_FILE, input: { path: "/workspace/src/a.ts", content: "const a = 1;\n" } },
        { tool: FILESYSTEM.READ_FILE, input: { path: "/workspace/src/a.ts" } },
        { tool: FILESYSTEM.EDIT_FILE, input: { path: "/workspace/src/a.ts", old_string: "1", new_string: "2" } },
        { tool: FILESYSTEM.LIST_FILES, input: { path: "/workspace" } },
        { tool: FILESYSTEM.GREP, input: { pattern: "const \\w", path: "/workspace" } },
        { tool: FILESYSTEM.FILE_STAT, input: { path: "/workspace/none" } },
        { tool: FILESYSTEM.MKDIR, input: { path: "/workspace/made" } },
        { tool: FILESYSTEM.DELETE, input: { path: "/workspace/made" } },
        { text: "done" },
      ];
      const model = scriptedModel(steps);
      const result = await createAgent(workspace, model as never).generate("work", { maxSteps: 20 });
      expect(result.text).toBe("done");
      expect(await workspace.fs.readFile("/workspace/src/a.ts", "utf8")).toBe("const a = 2;\n");
      const results = result.steps.flatMap((step) => step.toolResults.map(({ payload }) => String(payload.result)));
      const [written, read, edited, listed, grepped, missing] = results;
      expect(written).toContain("/workspace/src/a.ts");
      expect(read).toContain("const a = 1;");
      expect(edited).toContain("Replaced");
      expect(listed).toContain("a.ts");
      expect(grepped).toContain("const a");
      expect(missing).toContain("not found");
      expect(await workspace.fs.exists("/workspace/made")).toBe(false);
    }));

  it("asMastraFilesystem throws Mastra's errors and overwrites nothing that changed", () =>
    withWorkspace(place, async (workspace) => {
      const files: mastra.WorkspaceFilesystem = asMastraFilesystem(workspace, mastra);
      await files.writeFile("deep/a.txt", "a");
      await expect(files.readFile("none")).rejects.toBeInstanceOf(mastra.FileNotFoundError);
      await expect(files.readFile("deep")).rejects.toBeInstanceOf(mastra.IsDirectoryError);
      await expect(files.stat("none")).rejects.toBeInstanceOf(mastra.FileNotFoundError);
      await expect(files.readdir("none")).rejects.toBeInstanceOf(mastra.DirectoryNotFoundError);
      await expect(files.readdir("deep/a.txt")).rejects.toBeInstanceOf(mastra.NotDirectoryError);
      await expect(files.rmdir("deep")).rejects.toBeInstanceOf(mastra.DirectoryNotEmptyError);
      await expect(files.deleteFile("deep")).rejects.toBeInstanceOf(mastra.IsDirectoryError);
      await expect(files.writeFile("new/a.txt", "a", { recursive: false })).rejects.toBeInstanceOf(
        mastra.DirectoryNotFoundError,
      );
      await expect(files.writeFile("deep/a.txt", "b", { overwrite: false })).rejects.toBeInstanceOf(
        mastra.FileExistsError,
      );
      await files.writeFile("b.txt", "b");
      await expect(files.copyFile("b.txt", "deep/a.txt", { overwrite: false })).rejects.toBeInstanceOf(
        mastra.FileExistsError,
      );
      await expect(files.moveFile("b.txt", "deep/a.txt", { overwrite: false })).rejects.toBeInstanceOf(
        mastra.FileExistsError,
      );
      const stale = files.writeFile("b.txt", "c", { expectedMtime: new Date(0) });
      await expect(stale).rejects.toBeInstanceOf(mastra.StaleFileError);
      const { modifiedAt } = await files.stat("b.txt");
      await files.writeFile("b.txt", "c", { expectedMtime: modifiedAt });
      expect([await files.readFile("deep/a.txt", { encoding: "utf8" }), String(await files.readFile("b.txt"))]).toEqual(
        ["a", "c"],
      );
      await files.moveFile("b.txt", "moved/b.txt");
      await files.appendFile("moved/b.txt", "d");
      await workspace.fs.symlink("deep", "/workspace/link");
      expect(await files.readdir(".", { recursive: true })).toEqual([
        { name: "deep", type: "directory", size: 0 },
        { name: "deep/a.txt", type: "file", size: 1 },
        { name: "link", type: "directory", size: 4, isSymlink: true, symlinkTarget: "deep" },
        { name: "moved", type: "directory", size: 0 },
        { name: "moved/b.txt", type: "file", size: 2 },
      ]);
      await files.deleteFile("none", { force: true });
      await files.rmdir("deep", { recursive: true });
      expect(await files.exists("deep")).toBe(false);
    }));
});
