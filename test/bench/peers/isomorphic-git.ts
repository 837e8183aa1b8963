/** isomorphic-git on the files of a workspace, for the one row that compares the engines alone: indexing a pack. */
import { Workspace } from "@cloudflare/workspace";
import { asIsomorphicGitFs } from "@cloudflare/workspace/adapters/isomorphic-git";
import git from "isomorphic-git";
import type { Contender } from "../contender.ts";

export const contender: Contender = {
  id: "isomorphic",
  singleStatements: true,
  async start(storage) {
    const { fs } = new Workspace({ storage });
    await fs.stat("/");
    return {
      makesParents: false,
      makeDirectories: async (path) => void (await fs.mkdir(path, { recursive: true })),
      writeText: async (path, text) => void (await fs.writeFile(path, text)),
      readText: (path) => fs.readFile(path, "utf8"),
      stat: async (path) => (await fs.stat(path)).size,
      list: async (path) => (await fs.readdir(path)).length,
      git: async ([command, filepath], dir) => {
        if (command !== "index-pack" || filepath === undefined) throw new Error("only index-pack is compared");
        const { oids } = await git.indexPack({ fs: asIsomorphicGitFs(fs), dir, filepath });
        return String(oids.length);
      },
      rename: (from, to) => fs.rename(from, to),
      removeTree: (path) => fs.rm(path, { recursive: true }),
      writeStream: async (path, content) => void (await fs.writeFile(path, content)),
      readStream: (path) => fs.readStream(path),
    };
  },
};
