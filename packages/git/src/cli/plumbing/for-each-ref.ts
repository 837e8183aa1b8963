/** `git for-each-ref`. */
import { wantColor } from "../../config/color.ts";
import { GitError } from "../../errors.ts";
import { filterRefs } from "../../porcelain/ref-filter/filter-refs.ts";
import { openRefList } from "../../porcelain/ref-filter/open-ref-list.ts";
import type { Quoting } from "../../porcelain/ref-filter/template.ts";
import { readRefFilter, refFilterFlags } from "../flags/ref-filter-flags.ts";
import { defineCommand } from "../framework/command.ts";

export const forEachRef = defineCommand({
  name: "for-each-ref",
  usage: [
    "git for-each-ref [<options>] [<pattern>]",
    "git for-each-ref [--points-at <object>]",
    "git for-each-ref [--merged [<commit>]] [--no-merged [<commit>]]",
    "git for-each-ref [--contains [<commit>]] [--no-contains [<commit>]]",
  ],
  flags: {
    shell: { short: "-s", long: "--shell", help: "quote placeholders suitably for shells" },
    perl: { short: "-p", long: "--perl", help: "quote placeholders suitably for perl" },
    python: { long: "--python", help: "quote placeholders suitably for python" },
    tcl: { long: "--tcl", help: "quote placeholders suitably for Tcl" },
    count: { long: "--count", value: "number", arg: "<n>", help: "show only <n> matched refs" },
    format: { long: "--format", value: "string", arg: "<format>", help: "format to use for the output" },
    color: { long: "--color", value: "optional", arg: "<when>", help: "respect format colors" },
    sort: { long: "--sort", value: "list", arg: "<key>", help: "field name to sort on" },
    ...refFilterFlags,
  },
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.repository();
    const styles = (["shell", "perl", "python", "tcl"] as const).filter((style) => flags[style]);
    if (styles.length > 1) throw new GitError("EUSAGE", "more than one quoting style?");
    const quoting: Quoting = styles.at(0) ?? "none";
    const count = flags.count || 0;
    if (count < 0) throw new GitError("EUSAGE", `invalid --count argument: \`${count}'`);
    const list = await openRefList(repo);
    if (quoting !== "none" && quoting !== "perl" && /%\(\*?raw\)/.test(flags.format || ""))
      throw new GitError("EINVAL", "--format=raw cannot be used with --python, --shell, --tcl");
    // Configuration does not color output that programs read.
    const color = flags.color !== undefined && wantColor(repo.config, "color.ui", flags.color);
    const print = list.printer(flags.format || "%(objectname) %(objecttype)\t%(refname)", quoting, { color });
    const refs = await filterRefs(repo, {
      ...(await readRefFilter(repo, flags)),
      patterns: [...args, ...(afterDashes ?? [])],
    });
    const sorted = await list.sort(refs, flags.sort ?? [], { ignoreCase: flags.ignoreCase });
    for (const ref of count > 0 ? sorted.slice(0, count) : sorted) context.out(`${await print(ref)}\n`);
    return 0;
  },
});
