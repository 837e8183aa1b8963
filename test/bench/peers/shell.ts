/**
 * @cloudflare/shell, as its guide constructs it in a Durable Object. Text goes in and out as text, its cheapest form (bytes
 * become base64). Its own bulk call, `applyEdits`, reads and diffs what was there before: slower than the loop.
 */
import { createWorkspaceStateBackend, Workspace } from "@cloudflare/shell";
import type { Contender } from "../contender.ts";

export const contender: Contender = {
  id: "shell",
  async start(storage) {
    const workspace = new Workspace({ sql: storage.sql });
    await workspace.exists("/");
    const state = createWorkspaceStateBackend(workspace);
    return {
      makesParents: true,
      makeDirectories: (path) => workspace.mkdir(path, { recursive: true }),
      writeText: (path, text) => workspace.writeFile(path, text),
      readText: async (path) => found(await workspace.readFile(path), path),
      stat: async (path) => found(await workspace.stat(path), path).size,
      list: async (path) => (await workspace.readDir(path)).length,
      find: async (directory, pattern) => (await workspace.glob(`${directory}/${pattern}`)).length,
      grep: async (directory, { pattern, regex }) => {
        const found = await state.searchFiles(`${directory}/**/*`, pattern, { regex, caseSensitive: true });
        // It gives matches; several may be on one line.
        return found.reduce((sum, { matches }) => sum + new Set(matches.map(({ line }) => line)).size, 0);
      },
      rename: (from, to) => workspace.mv(from, to),
      removeTree: (path) => workspace.rm(path, { recursive: true }),
    };
  },
};

function found<T>(value: T | null, path: string): T {
  if (value === null) throw new Error(`no such file: ${path}`);
  return value;
}
