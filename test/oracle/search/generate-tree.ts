/** Random trees: source-like names that sort in tricky ways, ignore files, links, and files of every sort that ripgrep treats apart. */
import type { Random } from "../../support/random.ts";
import { type ContentOptions, generateContent, generateLargeContent } from "./generate-content.ts";
import { generateRule } from "./generate-glob.ts";
import type { Entry } from "./question.ts";

const DIRECTORIES = ["a", "b", "src", "lib", "a-b", "a.b", "é", ".hid", "A", "node_modules", "a b", "lib.ts"];
const FILES = [
  ...["a.ts", "b.ts", "a.d.ts", "B.TS", "a.md", "x.py", "c.rs", "m.js", "data.json", "é.txt", "a b.txt", "-dash", "z"],
  ...[
    "Makefile",
    "README.md",
    ".env",
    ".x.ts",
    "[x].ts",
    "a.log",
    "out.log",
    "a!",
    "日.md",
    "a\nb",
    "!a",
    "#x",
    "a ",
    "*",
  ],
  ...[
    "{a,b}.ts",
    "a\\b",
    "Dockerfile",
    "x.h",
    "x.cpp",
    "x.html",
    "x.yml",
    "x.toml",
    "x.sh",
    "x.css",
    "x.go",
    "😀",
    "\uffee",
  ],
];
const IGNORE_FILES = [".gitignore", ".gitignore", ".gitignore", ".ignore", ".rgignore"];

export function generateTree(random: Random, options: ContentOptions): Entry[] {
  const entries = new Map<string, Entry>();
  const add = (entry: Entry) => entries.has(entry.path) || entries.set(entry.path, entry);
  const directories = generateDirectories(random);
  for (let left = random.between(5, 14); left > 0; left--) {
    const path = under(random.pick(directories), random.pick(FILES));
    if (!directories.includes(path)) add({ path, ...generateContent(random, options) });
  }
  // One at most: a long line in it shows in the large files after it, see differences.ts.
  if (random.next() < 0.04) add({ path: random.pick(FILES), ...generateLargeContent(random, options) });
  const files = [...entries.keys()];
  addIgnoreFiles(random, directories, add);
  // A repository inside has its border only inside another one: see differences.ts.
  if ([...entries.keys()].some((path) => path.includes(".git/") || path.endsWith(".git")))
    add({ path: ".git", directory: true });
  if (random.next() < 0.3) add(generateLink(random, random.pick(directories), files, directories));
  for (const path of directories) if (path !== "" && random.next() < 0.1) add({ path, directory: true });
  return [...entries.values()];
}

function generateDirectories(random: Random): string[] {
  const created = [""];
  for (let left = random.between(0, 5); left > 0; left--) {
    const path = under(random.pick(created), random.pick(DIRECTORIES));
    if (!created.includes(path)) created.push(path);
  }
  return created;
}

function addIgnoreFiles(random: Random, directories: readonly string[], add: (entry: Entry) => void): void {
  const rules = () => {
    const lines = Array.from({ length: random.between(1, 4) }, () => generateRule(random));
    const text = lines.join(random.next() < 0.1 ? "\r\n" : "\n") + (random.next() < 0.8 ? "\n" : "");
    return random.next() < 0.05 ? `\ufeff${text}` : text;
  };
  for (const directory of directories) {
    for (let left = random.pick([0, 0, 0, 1, 1, 2]); left > 0; left--)
      add({ path: under(directory, random.pick(IGNORE_FILES)), text: rules() });
    if (random.next() < 0.12) add({ path: under(directory, ".git/info/exclude"), text: rules() });
    if (random.next() < 0.03) add({ path: under(directory, ".git"), directory: true });
  }
}

function generateLink(
  random: Random,
  directory: string,
  files: readonly string[],
  directories: readonly string[],
): Entry {
  const up = directory === "" ? "" : "../".repeat(directory.split("/").length);
  const target = random.next() < 0.6 ? random.pick(files) : random.next() < 0.7 ? random.pick(directories) : "nowhere";
  return { path: under(directory, `link.${random.pick(["ts", "md"])}`), target: up + target || "." };
}

function under(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}
