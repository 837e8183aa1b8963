/** One search of `git grep`: in the work tree, the index, revisions, or a directory outside any repository. */
import { splitLines } from "@workspace/text";
import { wantColor } from "../../../config/color.ts";
import { fromLatin1, toLatin1 } from "../../../config/config-syntax.ts";
import { createConfig } from "../../../config/create-config.ts";
import { type DiffDriver, type DiffDrivers, openDiffDrivers } from "../../../diff/diff-drivers.ts";
import { useIndex } from "../../../diff/staged-files.ts";
import { GitError } from "../../../errors.ts";
import { GrepPrinter, type GrepPrintOptions } from "../../../format/grep-printer.ts";
import { Pathspec, parsePathspec, RECURSIVELY } from "../../../pathspec/pathspec.ts";
import { GrepExpression, type GrepToken } from "../../../porcelain/grep/grep-expression.ts";
import { type GrepFileOptions, grepFile } from "../../../porcelain/grep/grep-file.ts";
import {
  directorySources,
  type GrepSource,
  indexSources,
  readBlob,
  treeSources,
} from "../../../porcelain/grep/grep-sources.ts";
import type { Repository } from "../../../repository.ts";
import { peelTags, peelTo } from "../../../revision/peel.ts";
import { encode } from "../../../text/bytes.ts";
import { quotePath, quotesFully } from "../../../text/quote-path.ts";
import { relativePath } from "../../../text/relative-path.ts";
import type { CommandContext } from "../../framework/command.ts";

import type { NamedObject } from "./grep-arguments.ts";
import type { GrepParsed } from "./grep-flags.ts";

const NO_CONFIG = createConfig([]);

export class GrepRun {
  readonly #flags: GrepParsed["flags"];
  readonly #expression: GrepExpression;
  readonly #printer: GrepPrinter;
  readonly #options: GrepFileOptions;
  readonly #needle: Uint8Array | null;
  #drivers: DiffDrivers | null = null;
  #hit = false;

  constructor(
    private readonly context: CommandContext,
    private readonly repo: Repository | null,
    parsed: GrepParsed,
    tokens: readonly GrepToken[],
  ) {
    const { flags: input } = parsed;
    this.#flags = input;
    const config = repo?.config ?? NO_CONFIG;
    const color = wantColor(config, "color.grep", input.color);
    const around = input.contextNumber || input.context || 0;
    const before = Number(input.before ?? around);
    const after = Number(input.after ?? around);
    this.#expression = new GrepExpression(tokens, {
      syntax: this.#syntax(parsed),
      exactEnds: color || input.onlyMatching === true || input.word === true,
      ignoreCase: input.ignoreCase === true,
      word: input.word === true,
      allMatch: input.allMatch === true,
    });
    const literal = input.invert || input.filesWithout ? "" : this.#expression.literal;
    this.#needle = literal === "" ? null : fromLatin1(literal);
    const print: GrepPrintOptions = {
      names: !this.#lastOf(parsed, "noName", "withName"),
      lineNumbers: input.lineNumber ?? config.getBool("grep.linenumber") ?? false,
      columns: input.column ?? config.getBool("grep.column") ?? false,
      onlyMatching: input.onlyMatching === true,
      heading: input.heading === true,
      fileBreak: input.fileBreak === true,
      nul: input.nul === true,
      separated: before > 0 || after > 0 || input.functionContext === true,
      color,
    };
    this.#printer = new GrepPrinter(config, print);
    this.#options = {
      before,
      after,
      functionLine: input.showFunction === true,
      functionBody: input.functionContext === true,
      invert: input.invert === true,
      ...(typeof input.maxCount === "number" && input.maxCount >= 0 ? { maxCount: input.maxCount } : {}),
      firstOnly: input.quiet === true || this.#namesOnly || input.filesWithout === true,
      countOnly: input.count === true,
      ranges: color || input.onlyMatching === true,
    };
  }

  get #namesOnly(): boolean {
    return this.#flags.filesWith === true || this.#flags.nameOnly === true;
  }

  /** True if `first` is the last given of the two flags. */
  #lastOf({ order }: GrepParsed, first: string, second: string): boolean {
    return order.findLast(({ name }) => name === first || name === second)?.name === first;
  }

  #syntax({ order }: GrepParsed): "basic" | "extended" | "fixed" | "perl" {
    const config = this.repo?.config ?? NO_CONFIG;
    const last = order.findLast(({ name }) => ["extended", "basic", "fixed", "perl"].includes(name))?.name;
    const configured = config.get("grep.patterntype")?.toLowerCase();
    const name = last ?? (configured && configured !== "default" ? configured : undefined);
    if (name === "perl" || name === "extended" || name === "fixed" || name === "basic") return name;
    return config.getBool("grep.extendedregexp") ? "extended" : "basic";
  }

  async run(objects: readonly NamedObject[], paths: readonly string[]): Promise<boolean> {
    const { untracked, index, cached } = this.#flags;
    if (index && (untracked || cached))
      throw new GitError(
        "EINVAL",
        `options '--no-index' and '${untracked ? "--untracked" : "--cached"}' cannot be used together`,
      );
    if (untracked && cached)
      throw new GitError("EINVAL", "options '--untracked' and '--cached' cannot be used together");
    if (index) return this.#searchDirectory(paths);
    if (!untracked && this.#flags.excludeStandard !== undefined)
      throw new GitError("EINVAL", "--[no-]exclude-standard cannot be used for tracked contents");
    const repo = this.repo as Repository;
    if (objects.length > 0) {
      for (const object of objects) await this.#searchObject(repo, object, paths);
      return this.#hit;
    }
    if (!cached && repo.workTree === null) throw new GitError("ESTATE", "this operation must be run in a work tree");
    await useIndex(repo);
    const spec = parsePathspec(repo, paths, { prefer: "cwd" });
    const wanted = (path: string) => this.#isNear(path, spec);
    const sources = untracked
      ? directorySources(
          { fs: repo.fs, top: repo.workTree as string, enter: (path) => spec.mayMatchUnder(path) },
          wanted,
          this.#flags.excludeStandard === false ? null : repo,
        )
      : indexSources(repo, cached === true, wanted);
    for await (const source of sources) if (await this.#search(source, this.#displayed(source.path))) break;
    return this.#hit;
  }

  async #searchDirectory(paths: readonly string[]): Promise<boolean> {
    const { cwd, host, env } = this.context;
    const { repo } = this;
    const top = repo?.workTree ?? cwd;
    const spec = repo?.workTree
      ? parsePathspec(repo, paths, { prefer: "cwd" })
      : parsePathspec({ prefix: "", workTree: cwd, env }, paths);
    const wanted = (path: string) => this.#isNear(path, spec);
    const nowhere = { fs: host.fs, gitDir: `${cwd}/.git`, config: NO_CONFIG, env };
    const rules = this.#flags.excludeStandard === true ? { ...(repo ?? nowhere), workTree: top } : null;
    const position = { fs: host.fs, top, enter: (path: string) => spec.mayMatchUnder(path) };
    for await (const source of directorySources(position, wanted, rules)) {
      if (await this.#search(source, this.#displayed(source.path))) break;
    }
    return this.#hit;
  }

  async #searchObject(repo: Repository, { name, oid, path }: NamedObject, paths: readonly string[]): Promise<void> {
    const peeled = await peelTags(repo, oid);
    if (peeled?.type === "blob") {
      await this.#search(
        { path: name, attributesOf: path, read: () => readBlob(repo, peeled.oid) },
        this.#displayed(name),
      );
      return;
    }
    const tree = await peelTo(repo, oid, "tree");
    if (tree === null) throw new GitError("EINVAL", `unable to grep from object of type ${peeled?.type ?? "unknown"}`);
    const spec = parsePathspec(repo, paths, { prefer: "cwd" });
    const wanted = (path: string) => this.#isNear(path, spec);
    const start = toLatin1(encode(`${name}:`));
    for await (const source of treeSources(repo, tree, spec, wanted, peeled?.type === "commit")) {
      const displayed = start + this.#displayed(source.path);
      if (await this.#search(source, displayed)) break;
    }
  }

  /** Whether the path is within `--max-depth` of its pathspec; a glob reaches any depth. */
  #isNear(path: string, spec: Pathspec): boolean {
    if (!spec.matches(path)) return false;
    const requested = this.#flags.maxDepth;
    const depth = typeof requested === "number" ? requested : this.#flags.recursive === false ? 0 : -1;
    if (depth < 0) return true;
    const isUnder = (base: string) => path.startsWith(base) && path.slice(base.length).split("/").length - 1 <= depth;
    const items = spec.items.filter(({ exclude }) => !exclude);
    if (items.length === 0) return isUnder("");
    return items.some((item) => {
      const kind = new Pathspec([item]).match(path);
      const base = item.match;
      return kind === RECURSIVELY ? isUnder(base === "" || base.endsWith("/") ? base : `${base}/`) : kind > 0;
    });
  }

  #displayed(path: string): string {
    const full = this.#flags.fullName ?? this.repo?.config.getBool("grep.fullname") ?? false;
    return this.#quoted(full ? path : relativePath(path, this.repo?.prefix ?? ""));
  }

  #quoted(path: string): string {
    const config = this.repo?.config ?? NO_CONFIG;
    return toLatin1(encode(this.#flags.nul ? path : quotePath(path, { full: quotesFully(config) })));
  }

  /** Returns true if the search can stop. */
  async #search({ attributesOf, read }: GrepSource, name: string): Promise<boolean> {
    const { text, noBinary, count, quiet, filesWithout } = this.#flags;
    const bytes = await read();
    if (bytes === null) return false;
    if (this.#needle !== null && !holds(bytes, this.#needle)) return false;
    const driver = await this.#driverOf(attributesOf);
    const binary = !text && (driver?.binary ?? bytes.subarray(0, 8000).includes(0));
    if (binary && noBinary) return false;
    const options = binary && !count ? { ...this.#options, firstOnly: true } : this.#options;
    const isHead = this.#functionHeads(driver, bytes);
    const result = grepFile(toLatin1(bytes), this.#expression, isHead ? { ...options, isHead } : options);
    if (filesWithout) {
      if (result.hits > 0) return false;
      this.#hit = true;
      if (!quiet) this.#write(this.#printer.name(name));
      return quiet === true;
    }
    if (result.hits === 0) return false;
    this.#hit = true;
    if (quiet) return true;
    if (this.#namesOnly) this.#write(this.#printer.name(name));
    else if (count) this.#write(this.#printer.count(name, result.hits));
    else if (binary) this.#write(this.#printer.binary(name));
    else this.#write(this.#printer.lines(name, result));
    return false;
  }

  /** The diff driver by attributes and configuration; null outside a repository and for an object without a path. */
  async #driverOf(path: string | null): Promise<DiffDriver | null> {
    if (this.repo === null || path === null) return null;
    this.#drivers ??= await openDiffDrivers(this.repo);
    await this.#drivers.prepare([path]);
    return this.#drivers.of(path);
  }

  #functionHeads(driver: DiffDriver | null, bytes: Uint8Array): ((index: number) => boolean) | null {
    if (!(this.#options.functionLine || this.#options.functionBody)) return null;
    const functionName = driver?.functionName;
    const lines = functionName && splitLines(bytes);
    return lines ? (index) => functionName(lines, index) !== null : null;
  }

  #write(text: string): void {
    this.context.out(fromLatin1(text));
  }
}

function holds(bytes: Uint8Array, needle: Uint8Array): boolean {
  const first = needle[0] as number;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let i = 1;
    while (i < needle.length && bytes[at + i] === needle[i]) i++;
    if (i === needle.length) return true;
  }
  return false;
}
