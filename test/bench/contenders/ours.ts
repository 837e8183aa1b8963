/** Ours, as a user has it in their own Durable Object. */
import { Workspace } from "@cloudflare/workspace";
import type { Contender } from "../contender.ts";

export const contender: Contender = {
  id: "ours",
  singleStatements: true,
  async start(storage) {
    const workspace = new Workspace({ storage });
    const { fs } = workspace;
    // The first verb migrates; that is once in an object's life.
    await fs.stat("/");
    return {
      makesParents: false,
      makeDirectories: async (path) => void (await fs.mkdir(path, { recursive: true })),
      writeText: async (path, text) => void (await fs.writeFile(path, text)),
      readText: (path) => fs.readFile(path, "utf8"),
      stat: async (path) => (await fs.stat(path)).size,
      list: async (path) => (await fs.readdir(path, { withFileTypes: true })).length,
      find: async (directory, pattern) => (await fs.find(directory, { path: pattern })).length,
      rename: (from, to) => fs.rename(from, to),
      removeTree: (path) => fs.rm(path, { recursive: true }),
      // Giving up the past: else the log keeps the removed tree for its retention, to be undone.
      collect: async () => void (await workspace.gc({ retention: { entries: 0 } })),
      writeMany: async (files) => void (await fs.writeMany(files.map(({ path, text }) => ({ path, content: text })))),
      writeStream: async (path, content) => void (await fs.writeFile(path, content)),
      readStream: (path) => fs.readStream(path),
    };
  },
};
