/** @cloudflare/computer, as its README constructs it without the mixin. It has no bulk call: the loop is its way. */
import { Workspace } from "@cloudflare/computer";
import { createGitClient } from "@cloudflare/computer/git";
import type { Contender } from "../contender.ts";

export const contender: Contender = {
  id: "computer",
  async start(storage) {
    const workspace = new Workspace({
      storage,
      git: createGitClient(),
      defaultGitIdentity: { name: "Bench", email: "bench@example.com" },
    });
    await workspace.ready();
    const { fs } = workspace;
    return {
      makesParents: false,
      makeDirectories: (path) => fs.mkdir(path, { recursive: true }),
      writeText: (path, text) => fs.writeFile(path, text),
      readText: (path) => fs.readFile(path, "utf8"),
      stat: async (path) => (await fs.stat(path)).size,
      list: async (path) => (await fs.readdir(path)).length,
      find: async (directory, pattern) => (await fs.find(directory, pattern)).length,
      grep: async (directory, { pattern, regex }) => (await fs.grep(pattern, directory, { regex })).length,
      git: async (argv, cwd) => {
        const { exitCode, stdout, stderr } = await workspace.git.cli({ argv: [...argv], cwd });
        if (exitCode !== 0) throw new Error(`git ${argv.join(" ")} exited with ${exitCode}: ${stderr}`);
        return stdout;
      },
      rename: (from, to) => fs.rename(from, to),
      removeTree: (path) => fs.rm(path, { recursive: true }),
      writeStream: (path, content) => fs.writeFile(path, content),
      readStream: async (path) => (await fs.readFile(path)) as unknown as AsyncIterable<Uint8Array>,
    };
  },
};
