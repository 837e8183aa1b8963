/** Ours, as a user has it in their own Durable Object. */
import { createToolset, type Toolset } from "@cloudflare/fs-tools";
import { Workspace } from "@cloudflare/workspace";
import type { SearchableFileSystem } from "@workspace/vfs";
import type { Contender } from "../contender.ts";
import { AGENT, exposePort, limits, preparations, runner, search, web } from "../suites/tools/tool-host.ts";

/** No limit of ours may make it look fast. */
const EVERY_HIT = 10_000_000;
const EVERYTHING = { bytes: 2 ** 40, steps: 2 ** 50 };

/** A search for this has less and less to look at while an index is built. */
const NOWHERE = "qzxjvkwq zqxjkvqw";
/** Searches without progress after which there is none to come. */
const TIMEOUT = 10;

export const contender: Contender = {
  id: "ours",
  singleStatements: true,
  async start(storage) {
    const workspace = new Workspace({ storage });
    const fs = workspace.fs as SearchableFileSystem;
    // The first verb migrates; that is once in an object's life.
    await fs.stat("/");
    // A host creates its toolset once, so its creation is not timed.
    let toolset: Toolset | undefined;
    const tools = () =>
      createToolset({
        ...{ workspace, web, search, exposePort, limits, actor: AGENT },
        agents: { runner, agentId: AGENT },
      });
    return {
      makesParents: false,
      makeDirectories: async (path) => void (await fs.mkdir(path, { recursive: true })),
      writeText: async (path, text) => void (await fs.writeFile(path, text)),
      readText: (path) => fs.readFile(path, "utf8"),
      stat: async (path) => (await fs.stat(path)).size,
      list: async (path) => (await fs.readdir(path, { withFileTypes: true })).length,
      find: async (directory, pattern) => (await fs.find(directory, { path: pattern })).length,
      glob: async (directory, pattern) => (await fs.glob(pattern, { cwd: directory })).length,
      grep: async (directory, { pattern, regex, count }) => {
        const options = { regex, maxHits: EVERY_HIT, budget: EVERYTHING };
        if (!count) return (await fs.grep(pattern, directory, options)).hits.length;
        const { files } = await fs.grep(pattern, directory, { ...options, mode: "count" });
        return files.reduce((sum, file) => sum + file.count, 0);
      },
      settle: async (directory) => {
        let looked = Number.POSITIVE_INFINITY;
        for (let patience = TIMEOUT; patience > 0; patience--) {
          const { stats } = await fs.grep(NOWHERE, directory, { budget: EVERYTHING });
          if (stats.bytesSearched < looked) patience = TIMEOUT;
          looked = Math.min(looked, stats.bytesSearched);
          if (looked === 0) return;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      },
      git: async (argv, cwd) => {
        const { exitCode, stdout, stderr } = await workspace.git.cli({ argv: [...argv], cwd });
        const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
        if (exitCode !== 0) throw new Error(`git ${argv.join(" ")} exited with ${exitCode}: ${text(stderr)}`);
        return text(stdout);
      },
      exec: async (script, cwd) =>
        (await (await workspace.shell.exec(script, { cwd, encoding: "utf8" })).result()).stdout,
      past: {
        take: async () => (await workspace.snapshots.create()).id,
        restore: async (moment) => void (await workspace.snapshots.restore(moment)),
        edit: async (path, text) => void (await workspace.as({ callId: "edit" }).fs.writeFile(path, text)),
        undo: async (_moment, path) => void (await workspace.history.undo({ path })),
        read: (moment, path) => workspace.at(moment).fs.readFile(path, "utf8"),
      },
      tool: async (name, input) => {
        toolset ??= await tools();
        const result = await toolset.handle(name, input);
        if (result.isError) throw new Error(result.content);
        return result.structured;
      },
      toolNames: async () => (toolset ??= await tools()).names,
      prepareTool: async (name, calls) => preparations[name]?.(workspace, calls),
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
