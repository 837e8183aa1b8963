/** Random trees: source-like names that sort in tricky ways, ignore files, links, and files of every sort that ripgrep treats apart. */
import type { Random } from "../../bench/worker/random.ts";
import type { Entry } from "./question.ts";

const DIRECTORIES = ["a", "b", "src", "lib", "a-b", "a.b", "é", ".hid", "A", "node_modules"];
const FILES = [
  ...["a.ts", "b.ts", "a.d.ts", "B.TS", "a.md", "x.py", "c.rs", "m.js", "data.json", "é.txt", "a b.txt", "-dash", "z"],
  ...["Makefile", "README.md", ".env", ".x.ts", "[x].ts", "a.log", "out.log", "a!", "日.md"],
];
const WORDS = [
  ...["foo", "bar", "abc", "foo_bar", "fooBar", "FOO", "TODO", "let x", "a1b2", "ß", "straße", "STRASSE", "ÉTÉ", "été"],
  ...[
    "σς",
    "ΣΑΣ",
    "K",
    "k",
    "İi",
    "ı",
    "日本",
    "😀",
    "e\u0301",
    "x=1;",
    "$&",
    "a.b",
    "(x)",
    "[y]",
    "\\n",
    "a|b",
    "",
    "٣",
  ],
  ...["ſs", "\u00a0", "\u2028", "\u0085", "\u000b", "aaaa", "-", "__", "#", "0"],
];
const SEPARATORS = [" ", " ", " ", "", "\t", "; ", ", ", ".", "-", "\u00a0"];
/** No braces: ripgrep 15 expands them in .gitignore, git does not, and we follow git. */
const RULES = [
  ...[
    "*.log",
    "a",
    "b",
    "src",
    "lib/",
    "/a",
    "/a.ts",
    "*.ts",
    "*.md",
    "a/b",
    "a/*",
    "**/b",
    "b/**",
    "a/**/z",
    "[ab].ts",
  ],
  ...[
    "node_modules",
    "é",
    "?.rs",
    "*",
    "*/",
    ".hid",
    ".env",
    "!*.ts",
    "\\[x].ts",
    "# a comment",
    "",
    "a b.txt",
    "z  ",
    "-dash",
  ],
];
const IGNORE_FILES = [".gitignore", ".gitignore", ".gitignore", ".ignore", ".rgignore"];

export interface TreeOptions {
  /** Texts that the queries should find. */
  samples: readonly string[];
}

export function growTree(random: Random, options: TreeOptions): Entry[] {
  const entries = new Map<string, Entry>();
  const add = (entry: Entry) => entries.has(entry.path) || entries.set(entry.path, entry);
  const directories = growDirectories(random);
  for (let left = random.between(5, 14); left > 0; left--) {
    const path = under(random.pick(directories), random.pick(FILES));
    if (!directories.includes(path)) add({ path, ...growContent(random, options) });
  }
  const files = [...entries.keys()];
  addIgnoreFiles(random, directories, add);
  // A repository inside has its border only inside another one: see differences.ts.
  if ([...entries.keys()].some((path) => path.includes(".git/") || path.endsWith(".git")))
    add({ path: ".git", directory: true });
  if (random.next() < 0.3) add(growLink(random, random.pick(directories), files, directories));
  for (const path of directories) if (path !== "" && random.next() < 0.1) add({ path, directory: true });
  return [...entries.values()];
}

function growDirectories(random: Random): string[] {
  const made = [""];
  for (let left = random.between(0, 5); left > 0; left--) {
    const path = under(random.pick(made), random.pick(DIRECTORIES));
    if (!made.includes(path)) made.push(path);
  }
  return made;
}

function addIgnoreFiles(random: Random, directories: readonly string[], add: (entry: Entry) => void): void {
  const rules = () => {
    const lines = Array.from({ length: random.between(1, 4) }, () => {
      const rule = random.pick(RULES);
      return random.next() < 0.3 && /^[^!#]/.test(rule) ? `!${rule}` : rule;
    });
    return lines.join(random.next() < 0.1 ? "\r\n" : "\n") + (random.next() < 0.8 ? "\n" : "");
  };
  for (const directory of directories) {
    if (random.next() < 0.35) add({ path: under(directory, random.pick(IGNORE_FILES)), text: rules() });
    if (random.next() < 0.12) add({ path: under(directory, ".git/info/exclude"), text: rules() });
    if (random.next() < 0.03) add({ path: under(directory, ".git"), directory: true });
  }
}

function growLink(random: Random, directory: string, files: readonly string[], directories: readonly string[]): Entry {
  const up = directory === "" ? "" : "../".repeat(directory.split("/").length);
  const target = random.next() < 0.6 ? random.pick(files) : random.next() < 0.7 ? random.pick(directories) : "nowhere";
  return { path: under(directory, `link.${random.pick(["ts", "md"])}`), target: up + target || "." };
}

function growContent(random: Random, options: TreeOptions): { text: string } | { bytes: string } {
  const roll = random.next();
  if (roll < 0.05) return { text: random.pick(["", "\n", "\r\n", "\n\n", "a"]) };
  const text = growText(random, options);
  if (roll < 0.08) return { text: `\ufeff${text}` };
  if (roll < 0.12) return { bytes: utf16(text, random.next() < 0.5) };
  if (roll < 0.17)
    return { bytes: spoiled(utf8(text), random, ["\xff", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\x80", "\xf0\x9f"]) };
  if (roll < 0.2) return { bytes: spoiled(utf8(text), random, ["\0"]) };
  if (roll < 0.22) return { text: `${growLine(random, options).repeat(500)}\n${text}` };
  return { text };
}

function growText(random: Random, options: TreeOptions): string {
  const kind = random.next();
  const ending = () => (kind < 0.15 ? "\r\n" : kind < 0.2 ? random.pick(["\n", "\r\n", "\r"]) : "\n");
  let text = "";
  for (let left = random.between(1, 16); left > 0; left--) text += growLine(random, options) + ending();
  return random.next() < 0.2 ? text.replace(/\r?\n$/, () => "") : text;
}

function growLine(random: Random, { samples }: TreeOptions): string {
  if (random.next() < 0.1) return "";
  const separator = random.pick(SEPARATORS);
  const word = () => (samples.length > 0 && random.next() < 0.4 ? random.pick(samples) : random.pick(WORDS));
  return Array.from({ length: random.between(1, 6) }, word).join(separator);
}

function under(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

/** One character per byte. */
export function utf8(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** With its byte order mark, one character per byte. */
export function utf16(text: string, littleEndian: boolean): string {
  return Array.from({ length: text.length + 1 }, (_, at) => {
    const unit = at === 0 ? 0xfeff : text.charCodeAt(at - 1);
    const [high, low] = [String.fromCharCode(unit >> 8), String.fromCharCode(unit & 0xff)];
    return littleEndian ? low + high : high + low;
  }).join("");
}

/** Something foreign in one to three places. */
function spoiled(bytes: string, random: Random, foreign: readonly string[]): string {
  let result = bytes;
  for (let left = random.between(1, 3); left > 0; left--) {
    const at = random.between(0, result.length);
    result = result.slice(0, at) + random.pick(foreign) + result.slice(at);
  }
  return result;
}
