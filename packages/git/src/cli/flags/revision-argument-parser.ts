/** Reads revisions and the options among them in command-line order; the remaining arguments are paths. */
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";
import { ambiguousArgument } from "../../revision/resolve-revision.ts";
import type { RefGroup, RevisionArguments } from "../../revision/revision-arguments.ts";
import { verifyFile } from "../../revision/verify-argument.ts";
import type { CommandContext } from "../framework/command.ts";
import type { ParsedFlagSubset } from "../framework/flag-table.ts";
import type { RevisionFlags } from "./revision-flag-table.ts";

type RevisionArgs = ParsedFlagSubset<RevisionFlags>;

const GROUPS: Readonly<Record<string, RefGroup>> = {
  branches: "branches",
  tags: "tags",
  remotes: "remotes",
  glob: "glob",
};

export class RevisionArgumentParser {
  #at = 0;
  /** Read from standard input, after "--". */
  readonly #paths: string[] = [];

  constructor(
    private readonly context: CommandContext,
    private readonly repo: Repository,
    private readonly parsed: RevisionArgs,
    private readonly named: RevisionArguments,
  ) {}

  async read(): Promise<string[]> {
    const { args, afterDashes, order } = this.parsed;
    for (const [index, text] of args.entries()) {
      await this.#optionsBefore(index);
      if (await this.named.revision(text)) {
        if (afterDashes === null && !text.startsWith("^") && !text.includes("..")) await this.#refuseFile(text);
        continue;
      }
      if (this.parsed.flags.ignoreMissing) {
        // It names nothing, but still suppresses the HEAD default.
        this.named.input = true;
        continue;
      }
      if (afterDashes !== null || text.startsWith("^")) throw new GitError("ENOTFOUND", `bad revision '${text}'`);
      const late = order.slice(this.#at).find(({ at }) => at > index);
      for (const [i, path] of args.slice(index).entries()) await this.#needFile(path, i === 0);
      if (late !== undefined)
        throw new GitError("EINVAL", `option '${late.text}' must come before non-option arguments`);
      return [...args.slice(index), ...this.#paths];
    }
    await this.#optionsBefore(args.length);
    return [...(afterDashes ?? []), ...this.#paths];
  }

  async #optionsBefore(index: number): Promise<void> {
    const { order } = this.parsed;
    for (; this.#at < order.length && (order[this.#at]?.at ?? 0) <= index; this.#at++) {
      const { name, value } = order[this.#at] as (typeof order)[number];
      const group = GROUPS[name];
      if (name === "not") this.named.not();
      else if (name === "exclude") this.named.exclude(String(value));
      else if (name === "all") await this.named.refs("all");
      else if (name === "reflog") await this.named.reflogs();
      else if (name === "stdin") await this.#fromStdin();
      else if (group !== undefined) await this.named.refs(group, typeof value === "string" ? value : undefined);
    }
  }

  async #fromStdin(): Promise<void> {
    this.named.input = true;
    let paths = false;
    for await (const line of this.context.stdin.textLines()) {
      if (paths) {
        if (line !== "") this.#paths.push(line);
        continue;
      }
      if (line === "--") {
        paths = true;
        continue;
      }
      if (line.startsWith("-")) throw new GitError("EINVAL", "options not supported in --stdin mode");
      if (line !== "" && !(await this.named.revision(line))) throw new GitError("ENOTFOUND", `bad revision '${line}'`);
    }
  }

  async #exists(name: string): Promise<boolean> {
    const { host, cwd } = this.context;
    return host.fs.lstat(name.startsWith("/") ? name : `${cwd}/${name}`).then(
      () => true,
      () => false,
    );
  }

  async #refuseFile(text: string): Promise<void> {
    if (this.repo.workTree === null || /[:*?[]/.test(text) || !(await this.#exists(text))) return;
    throw ambiguousArgument(text, "both revision and filename");
  }

  async #needFile(path: string, first: boolean): Promise<void> {
    await verifyFile(this.repo, path, first);
  }
}
