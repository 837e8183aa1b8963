// IgnoreStack against the real ripgrep, for the order between kinds of ignore files, nested repositories and pruned directories.
// The rules are plain, since ripgrep reads a few exotic ones otherwise than git and we follow git.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type IgnoreKind, IgnoreStack, parseIgnore } from "@workspace/glob";
import { expect, test } from "vitest";
import { Random } from "../../support/random.ts";
import { ripgrep } from "./real-ripgrep.ts";
import { makeTree, type RealTree } from "./real-tree.ts";

const NAMES = ["a", "b", "c", "a.ts", "b.ts", "a.md", ".x", "-"];
const RULES = [
  "a",
  "b",
  "c/",
  "*.ts",
  "*.md",
  "/a",
  "/b",
  "a/",
  "a/b",
  "**/c",
  "c/**",
  ".x",
  "*",
  "a/*",
  "?.ts",
  "[bc]",
  "-",
];

const FILES: [kind: IgnoreKind, name: string][] = [
  ["rgignore", ".rgignore"],
  ["ignore", ".ignore"],
  ["gitignore", ".gitignore"],
];

function rules(random: Random): string {
  return random.list(1, 4, () => `${random.chance(0.4) ? "!" : ""}${random.pick(RULES)}\n`).join("");
}

function write(tree: RealTree, path: string, text: string): void {
  mkdirSync(dirname(join(tree.root, path)), { recursive: true });
  writeFileSync(join(tree.root, path), text);
}

function dress(random: Random, tree: RealTree): IgnoreStack {
  const stack = new IgnoreStack().addRepository("");
  mkdirSync(join(tree.root, ".git"));
  const add = (directory: string, kind: IgnoreKind, path: string) => {
    const text = rules(random);
    write(tree, path, text);
    stack.add(directory, kind, parseIgnore(text, path));
  };
  const directories = [...tree.entries].filter(([, isDirectory]) => isDirectory).map(([path]) => path);
  for (const directory of ["", ...directories]) {
    const prefix = directory === "" ? "" : `${directory}/`;
    for (const [kind, name] of FILES) if (random.chance(0.25)) add(directory, kind, prefix + name);
    if (directory !== "" && random.chance(0.1)) {
      mkdirSync(join(tree.root, directory, ".git"));
      stack.addRepository(directory);
      if (random.chance(0.5)) add(directory, "exclude", `${prefix}.git/info/exclude`);
    }
  }
  if (random.chance(0.5)) add("", "exclude", ".git/info/exclude");
  if (random.chance(0.5)) add("", "global", ".git/xdg/git/ignore");
  return stack;
}

test("IgnoreStack keeps the files that rg --files keeps, for 80 generated trees with every kind of ignore file", async () => {
  let retained = 0;
  for (let seed = 1; seed <= 80; seed++) {
    const random = new Random(seed);
    const tree = makeTree(random, NAMES, { depth: 3 });
    try {
      const stack = dress(random, tree);
      const home = join(tree.root, ".git");
      const env = { HOME: home, XDG_CONFIG_HOME: join(home, "xdg") };
      const { stdout } = await ripgrep(tree.root, ["--files", "--hidden", "--no-ignore-parent", "-0"], env);
      const real = stdout.split("\0").filter((path) => tree.entries.get(path) === false);
      const ours = [...tree.entries].filter(
        ([path, isDirectory]) => !isDirectory && !stack.ignored(path, false).ignored,
      );
      expect({ seed, files: ours.map(([path]) => path).sort() }).toEqual({ seed, files: real.sort() });
      retained += ours.length;
    } finally {
      tree.remove();
    }
  }
  expect(retained).toBeGreaterThan(500);
});
