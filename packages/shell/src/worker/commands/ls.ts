/** `ls` as in GNU to a pipe: one name per line, files before directories, `-l` with owner, size, time and link target. */
import type { FileStat, FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import { humanSize, longLines, totalBlocks } from "./ls-long.ts";
import { textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";

export interface ListedEntry {
  readonly name: string;
  readonly stat: FileStat;
  /** Of a link. */
  readonly target: string | null;
}

const FLAGS = /^-[aAlh1RtSrdFpignoL]+$/;
const LONG: Readonly<Record<string, string>> = {
  "--all": "a",
  "--almost-all": "A",
  "--human-readable": "h",
  "--recursive": "R",
  "--reverse": "r",
  "--directory": "d",
  "--classify": "F",
  "--inode": "i",
};

export function lsCommand(files: FileSystem, now: () => number): RunCommand {
  return async (args, { cwd }) => {
    const parsed = parse(args);
    if (parsed.odd === "--help") return textResult("Usage: ls [-aAlh1RtSrdFpiL] [FILE]...\n", "", 0);
    if (parsed.odd !== undefined) return textResult("", `ls: unrecognized option '${parsed.odd}'\n`, 2);
    const listing = new LsListing(files, parsed.flags, cwd, now());
    await listing.all(parsed.words.length === 0 ? ["."] : parsed.words);
    return textResult(listing.text, listing.errors, listing.errors === "" ? 0 : 2);
  };
}

function parse(args: readonly string[]): { flags: Set<string>; words: string[]; odd?: string } {
  const flags = new Set<string>();
  const words: string[] = [];
  for (const [i, word] of args.entries()) {
    if (word === "--") return { flags, words: [...words, ...args.slice(i + 1)] };
    if (word.startsWith("--color") || word === "--group-directories-first") continue;
    if (LONG[word] !== undefined) flags.add(LONG[word]);
    else if (FLAGS.test(word)) for (const letter of word.slice(1)) flags.add(letter);
    else if (word.startsWith("-") && word !== "-") return { flags, words, odd: word };
    else words.push(word);
  }
  return { flags, words };
}

class LsListing {
  text = "";
  errors = "";

  constructor(
    readonly files: FileSystem,
    readonly flags: ReadonlySet<string>,
    readonly cwd: string,
    readonly now: number,
  ) {}

  async all(words: readonly string[]): Promise<void> {
    const single: ListedEntry[] = [];
    const directories: ListedEntry[] = [];
    for (const word of words) {
      const found = await this.#look(word, absolutePath(this.cwd, word));
      if (found === null) this.errors += `ls: cannot access '${word}': No such file or directory\n`;
      else if (!this.flags.has("d") && (await this.#isDirectory(found, word))) directories.push(found);
      else single.push(found);
    }
    this.text += this.#lines(this.#sorted(single));
    const named = words.length > 1 || this.flags.has("R");
    for (const { name } of this.#sorted(directories)) await this.#directory(name, named);
  }

  /** On the command line a link to a directory means that directory, except with `-l`. */
  async #isDirectory({ stat }: ListedEntry, word: string): Promise<boolean> {
    if (!stat.isSymbolicLink()) return stat.isDirectory();
    if (this.flags.has("l") && !word.endsWith("/")) return false;
    return (await this.files.stat(absolutePath(this.cwd, word)).catch(() => null))?.isDirectory() ?? false;
  }

  async #directory(name: string, named: boolean): Promise<void> {
    const path = absolutePath(this.cwd, name);
    const found: ListedEntry[] = [];
    for (const entry of await this.files.readdir(path)) {
      if (entry.startsWith(".") && !this.flags.has("a") && !this.flags.has("A")) continue;
      const listed = await this.#look(entry, `${path}/${entry}`);
      if (listed !== null) found.push(listed);
    }
    const sorted = this.#sorted(found);
    const around = this.flags.has("a")
      ? (await Promise.all([this.#look(".", path), this.#look("..", `${path}/..`)])).filter((one) => one !== null)
      : [];
    if (named) this.text += `${this.text === "" ? "" : "\n"}${name}:\n`;
    const all = this.flags.has("r") ? [...sorted, ...around.reverse()] : [...around, ...sorted];
    if (this.flags.has("l")) this.text += `total ${this.#blocks(all)}\n`;
    this.text += this.#lines(all);
    if (!this.flags.has("R")) return;
    for (const { name: below, stat } of sorted)
      if (stat.isDirectory()) await this.#directory(`${name.replace(/(?<!\/)\/+$/, () => "")}/${below}`, true);
  }

  async #look(name: string, path: string): Promise<ListedEntry | null> {
    // A trailing slash follows the link.
    const look = this.flags.has("L") || name.endsWith("/") ? this.files.stat : this.files.lstat;
    const stat = await look(path).catch(() => null);
    if (stat === null) return null;
    return { name, stat, target: stat.isSymbolicLink() ? await this.files.readlink(path) : null };
  }

  #sorted(found: readonly ListedEntry[]): ListedEntry[] {
    const byName = (a: ListedEntry, b: ListedEntry) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
    const first = this.flags.has("S")
      ? (a: ListedEntry, b: ListedEntry) => b.stat.size - a.stat.size
      : this.flags.has("t")
        ? (a: ListedEntry, b: ListedEntry) => b.stat.mtimeMs - a.stat.mtimeMs
        : byName;
    const sorted = found.toSorted((a, b) => first(a, b) || byName(a, b));
    return this.flags.has("r") ? sorted.reverse() : sorted;
  }

  #lines(found: readonly ListedEntry[]): string {
    const names = found.map((one) => `${one.name}${this.#mark(one)}`);
    const inodes = found.map(({ stat }) => (this.flags.has("i") ? `${stat.ino} ` : ""));
    if (!["l", "g", "n", "o"].some((flag) => this.flags.has(flag)))
      return names.map((name, i) => `${inodes[i]}${name}\n`).join("");
    const size = (bytes: number) => (this.flags.has("h") ? humanSize(bytes) : String(bytes));
    return longLines(found, names, size, this.now)
      .map((line, i) => `${inodes[i]}${line}\n`)
      .join("");
  }

  #mark({ name, stat }: ListedEntry): string {
    if (name.endsWith("/")) return "";
    if (stat.isDirectory()) return this.flags.has("F") || this.flags.has("p") ? "/" : "";
    if (!this.flags.has("F")) return "";
    if (stat.isSymbolicLink()) return this.flags.has("l") ? "" : "@";
    return (stat.mode & 0o111) === 0 ? "" : "*";
  }

  #blocks(found: readonly ListedEntry[]): string {
    const blocks = totalBlocks(found);
    return this.flags.has("h") ? humanSize(blocks * 1024) : String(blocks);
  }
}
