/** `git fsck`. */
import type { Oid } from "../../object/oid.ts";
import { fsck as check } from "../../porcelain/fsck/fsck.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { defineCommand } from "../framework/command.ts";

const on = (long: string, help: string) => ({ long, help }) as const;

export const fsck = defineCommand({
  name: "fsck",
  usage: [
    "git fsck [--tags] [--root] [--unreachable] [--cache] [--no-reflogs]\n                [--[no-]full] [--strict] [--verbose] [--lost-found]\n                [--[no-]dangling] [--[no-]progress] [--connectivity-only]\n                [--[no-]name-objects] [<object>...]",
  ],
  flags: {
    verbose: { short: "-v", long: "--verbose", help: "be verbose" },
    unreachable: on("--unreachable", "show unreachable objects"),
    dangling: on("--dangling", "show dangling objects"),
    tags: on("--tags", "report tags"),
    root: on("--root", "report root nodes"),
    cache: on("--cache", "make index objects head nodes"),
    reflogs: on("--reflogs", "make reflogs head nodes (default)"),
    full: on("--full", "also consider packs and alternate objects"),
    connectivityOnly: on("--connectivity-only", "check only connectivity"),
    strict: on("--strict", "enable more strict checking"),
    lostFound: on("--lost-found", "write dangling objects in .git/lost-found"),
    progress: on("--progress", "show progress"),
    nameObjects: on("--name-objects", "show verbose names for reachable objects"),
  },
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.repository();
    const heads: Oid[] = [];
    let code = 0;
    for (const name of [...args, ...(afterDashes ?? [])]) {
      const found = await findRevision(repo, name);
      if (found !== null) heads.push(found.oid);
      else {
        context.err(`error: invalid parameter: expected sha1, got '${name}'\n`);
        code = 1;
      }
    }
    const { unreachable, dangling, root, tags, reflogs, strict, connectivityOnly, lostFound } = flags;
    const reported = {
      out: (line: string) => context.out(`${line}\n`),
      err: (line: string) => context.err(`${line}\n`),
    };
    const input = args.length + (afterDashes ?? []).length > 0;
    const options = { unreachable, dangling, root, tags, reflogs, strict, connectivityOnly, lostFound };
    return code | (await check(repo, { ...options, ...(input ? { heads } : {}) }, reported));
  },
});
