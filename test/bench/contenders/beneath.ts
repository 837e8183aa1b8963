/** The calls that the tools stand on, made directly: what a tool costs is the difference. */
import { Workspace } from "@cloudflare/workspace";
import type { Contender } from "../contender.ts";
import { contender as ours } from "./ours.ts";

type Input = Readonly<Record<string, unknown>>;

export const contender: Contender = {
  id: "beneath",
  singleStatements: true,
  async start(storage) {
    const subject = await ours.start(storage);
    const workspace = new Workspace({ storage });
    const { fs } = workspace;
    const text = (value: unknown) => value as string;
    const calls: Record<string, (input: Input) => Promise<unknown>> = {
      read: ({ path }) => fs.readFile(text(path), "utf8"),
      write: ({ path, content }) => fs.writeFile(text(path), text(content)),
      edit: async ({ path, oldString, newString }) => {
        const before = await fs.readFile(text(path), "utf8");
        return fs.writeFile(
          text(path),
          before.replace(text(oldString), () => text(newString)),
        );
      },
      apply_patch: async ({ path, patch }) => {
        const [, old, next] = /\n-(.*)\n\+(.*)\n/.exec(text(patch)) as unknown as [string, string, string];
        const before = await fs.readFile(text(path), "utf8");
        return fs.writeFile(
          text(path),
          before.replace(old, () => next),
        );
      },
      grep: ({ pattern, path }) => fs.grep(text(pattern), text(path), { maxHits: 200 }),
      glob: ({ pattern, cwd }) => fs.glob(text(pattern), { cwd: text(cwd), dirs: false }),
      find: ({ path, name }) => fs.find(text(path), { name: text(name) }),
      list: ({ path }) => fs.scan(text(path)),
      tree: ({ path }) => fs.tree(text(path), { depth: 2 }),
      exists: ({ path }) => fs.exists(text(path)),
      info: ({ path }) => fs.lstat(text(path)),
      stats: ({ path }) => fs.du(text(path)),
      changes: ({ limit }) => fs.changes({ limit: limit as number }),
      move: ({ from, to }) => fs.rename(text(from), text(to)),
      copy: ({ from, to }) => fs.cp(text(from), text(to)),
      delete: ({ path }) => fs.rm(text(path)),
      exec: async ({ command }) => (await workspace.shell.exec(text(command), { encoding: "utf8" })).result(),
      git: ({ argv }) => workspace.git.cli({ argv: [...(argv as string[])], cwd: "/workspace" }),
    };
    return {
      ...subject,
      tool: async (name, input) => {
        const call = calls[name];
        if (call === undefined) throw new Error(`there is no call beneath ${name}`);
        return call(input);
      },
    };
  },
};
