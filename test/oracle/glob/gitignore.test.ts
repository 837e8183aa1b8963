// parseIgnore and IgnoreStack against the real git: `git check-ignore -v` for the verdict and the very rule that made it,
// `git ls-files -o -i` and `git status --ignored` for what is ignored as a whole. One repository holds many independent sets
// of rules, each in a directory of its own, so that a thousand sets cost a few dozen processes.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type IgnoreKind, IgnoreStack, parseIgnore } from "@workspace/glob";
import { expect, test } from "vitest";
import { Random } from "../../support/random.ts";
import { emptyTree, type Growth, growTree } from "./real-tree.ts";

const NAMES = [
  ...[
    "a",
    "b",
    "c",
    "ab",
    "abc",
    ".a",
    "a.ts",
    "x.ts",
    ".ts",
    "1",
    "-",
    "a.b",
    "A",
    "é",
    "éa",
    "[a]",
    "a!b",
    "#a",
    "!a",
  ],
  ...["a ", "a,b", "{a}", "a\\b", "b.", "*", "]", "foo", "foobar"],
];
const ATOMS = [
  ...["a", "b", "c", "ab", ".", "*", "?", "**", "***", "1", ".ts", "é", "A", "!", "#", " ", "b.", "foo"],
  ...[
    "[ab]",
    "[!a]",
    "[^a]",
    "[a-c]",
    "[]a]",
    "[a-]",
    "[-a]",
    "[é]",
    "[A-Z]",
    "[^.]",
    "[c-a]",
    "[",
    "[/]",
    "[a/]",
    "[!/]",
  ],
  ...["[[:alpha:]]", "[[:upper:]]", "[[:punct:]]", "[^[:alnum:]]", "[[:foo:]]", "[[:a]", "[[:]", "[[:alpha:]-z]"],
  ...["\\*", "\\a", "\\ ", "\\", "\\/", "\\\\", "[\\]]", "[a\\-c]", "[a-\\c]"],
];
const ODD_LINES = [
  "",
  "# x",
  "\\#a",
  "\\!a",
  "   ",
  "/",
  "!",
  "//",
  "**",
  "/**",
  "\r",
  "!/",
  "a\0b",
  "*",
  "!*",
  "**/",
  "!**/",
];

function line(random: Random): string {
  const segment = () =>
    random.chance(0.35) ? random.pick(NAMES) : random.list(1, 3, () => random.pick(ATOMS)).join("");
  const path = random.list(1, 3, () => (random.chance(0.2) ? "**" : segment())).join("/");
  const end = random.chance(0.08) ? random.pick(["  ", "\\ ", " \\ ", "\t", "\r"]) : "";
  return `${random.chance(0.25) ? "!" : ""}${random.chance(0.2) ? "/" : ""}${path}${random.chance(0.2) ? "/" : ""}${end}`;
}

function ignoreFile(random: Random): string {
  const lines = random.list(1, 6, () => (random.chance(0.08) ? random.pick(ODD_LINES) : line(random)));
  const text = lines.join(random.chance(0.15) ? "\r\n" : "\n");
  return `${random.chance(0.05) ? "\ufeff" : ""}${text}${random.chance(0.5) ? "\n" : ""}`;
}

class Repository {
  readonly stack = new IgnoreStack();
  readonly #tree = emptyTree();
  readonly entries = new Map<string, boolean>();

  constructor() {
    this.git(["init", "--quiet"]);
  }

  grow(random: Random, growth: Growth = {}): string[] {
    const { top = "" } = growth;
    if (top !== "") this.entries.set(top, true);
    const grown = growTree(random, this.#tree.root, NAMES, growth);
    for (const [path, isDirectory] of grown) this.entries.set(path, isDirectory);
    return [top, ...[...grown].filter(([, isDirectory]) => isDirectory).map(([path]) => path)];
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.#tree.root, path)), { recursive: true });
    writeFileSync(join(this.#tree.root, path), content);
  }

  ignore(path: string, directory: string, kind: IgnoreKind, content: string): void {
    this.write(path, content);
    this.stack.add(directory, kind, parseIgnore(content, path));
  }

  git(argv: string[], input = ""): string {
    const global = join(this.#tree.root, ".git/global");
    return execFileSync("git", ["-c", `core.excludesFile=${global}`, ...argv], {
      cwd: this.#tree.root,
      input,
      maxBuffer: 2 ** 26,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    });
  }

  /** Per path, "path <- source:line:pattern" of the deciding rule. */
  realRules(): string[] {
    const paths = [...this.entries.keys()];
    const fields = this.git(["check-ignore", "-v", "-n", "-z", "--no-index", "--stdin"], `${paths.join("\0")}\0`).split(
      "\0",
    );
    const rules: string[] = [];
    for (let i = 0; i + 3 < fields.length; i += 4) {
      const source = fields[i]!.replace(`${this.#tree.root}/`, () => "");
      rules.push(`${fields[i + 3]} <- ${source === "" ? "" : `${source}:${fields[i + 1]}:${fields[i + 2]}`}`);
    }
    return rules;
  }

  ourRules(): string[] {
    return [...this.entries].map(([path, isDirectory]) => {
      const { rule, ignored } = this.stack.ignored(path, isDirectory);
      const isExpected = ignored === (rule !== undefined && !rule.pattern.startsWith("!"));
      if (!isExpected) throw new Error(`${path}: ignored is ${ignored} but the rule is ${rule?.pattern}`);
      return `${path} <- ${rule ? `${rule.source}:${rule.line}:${rule.pattern}` : ""}`;
    });
  }

  ignoredFiles(): string[] {
    return [...this.entries]
      .filter(([path, isDirectory]) => !isDirectory && this.stack.ignored(path, false).ignored)
      .map(([path]) => path)
      .sort();
  }

  remove(): void {
    this.#tree.remove();
  }
}

function list(text: string): string[] {
  return text.split("\0").filter((path) => path !== "");
}

const SETS = 40;
const ROUNDS = 30;

test(`IgnoreStack names the rule that git check-ignore names, for ${SETS * ROUNDS} generated sets of rules`, () => {
  let decisions = 0;
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = new Random(seed);
    const repository = new Repository();
    try {
      for (let set = 0; set < SETS; set++) {
        const directories = repository.grow(random, { top: `set${set}`, depth: 3, directoriesOnly: true });
        for (const directory of new Set([directories[0]!, ...random.list(0, 2, () => random.pick(directories))])) {
          repository.ignore(`${directory}/.gitignore`, directory, "gitignore", ignoreFile(random));
        }
      }
      if (random.chance(0.3)) repository.ignore(".gitignore", "", "gitignore", ignoreFile(random));
      if (random.chance(0.3)) repository.ignore(".git/info/exclude", "", "exclude", ignoreFile(random));
      if (random.chance(0.3)) repository.ignore(".git/global", "", "global", ignoreFile(random));
      expect({ seed, rules: repository.ourRules() }).toEqual({ seed, rules: repository.realRules() });

      decisions += repository.entries.size;
    } finally {
      repository.remove();
    }
  }
  expect(decisions).toBeGreaterThan(20_000);
});

test("IgnoreStack ignores the files that git ls-files -i and git status --ignored do, for rules at the top of 20 repositories", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(10_000 + seed);
    const repository = new Repository();
    try {
      const directories = repository.grow(random);
      for (const directory of new Set(["", ...random.list(0, 3, () => random.pick(directories))])) {
        const path = directory === "" ? ".gitignore" : `${directory}/.gitignore`;
        repository.ignore(path, directory, "gitignore", ignoreFile(random));
      }
      repository.ignore(".git/info/exclude", "", "exclude", ignoreFile(random));
      repository.ignore(".git/global", "", "global", ignoreFile(random));
      const listed = list(repository.git(["ls-files", "-o", "-i", "--exclude-standard", "-z"]));
      const known = listed.filter((path) => repository.entries.has(path)).sort();
      expect({ seed, files: repository.ignoredFiles() }).toEqual({ seed, files: known });
      const status = list(repository.git(["status", "--porcelain", "--ignored=matching", "-uall", "-z"]));
      const real = status.filter((entry) => entry.startsWith("!! ")).map((entry) => entry.slice(3));
      const covered = (path: string) =>
        real.some((entry) => path === entry || (entry.endsWith("/") && path.startsWith(entry)));
      const files = [...repository.entries].filter(([, isDirectory]) => !isDirectory).map(([path]) => path);
      expect({ seed, files: repository.ignoredFiles() }).toEqual({ seed, files: files.filter(covered).sort() });
    } finally {
      repository.remove();
    }
  }
});

test("IgnoreStack agrees with git on hard cases", () => {
  const cases: [rules: string, paths: string[]][] = [
    ["foo**/bar\n", ["foobar", "foo/bar", "foo/x/bar", "fooz/bar", "x/foobar"]],
    ["f*o**/bar\n", ["foobar", "foo/bar", "foo/x/bar"]],
    ["/foo**\n", ["foo", "foox", "foo/a/b", "a/foo"]],
    ["q**\\/b\n", ["q/b", "qz/b", "qb", "b"]],
    ["a/**/b\n", ["a/b", "a/x/b", "a/x/y/b", "ab", "a/x"]],
    ["**/b\na/**\n", ["b", "a/b", "a", "x/a/c"]],
    ["**\n!a\n", ["a", "b", "a/b"]],
    ["dir/\n!dir/keep\n", ["dir/keep", "dir/x", "dir"]],
    ["dir/*\n!dir/keep\n", ["dir/keep", "dir/x", "dir"]],
    ["/*\n!/src\n/src/*\n!/src/a\n", ["src/a", "src/b", "x"]],
    ["foo/\n", ["foo/a", "x/foo/a", "foox/a"]],
    ["foo//\n", ["foo/a"]],
    ["a  \nb\\ \nc\\  \n", ["a", "b ", "b", "c ", "c"]],
    ["\\#a\n\\!b\n#c\n", ["#a", "!b", "#c"]],
    ["\ufeffa\r\nb\r\n", ["a", "b", "\ufeffa", "b\r"]],
    ["a\\\n[\n[b\n[[:nope:]]\n", ["a\\", "a", "[", "[b", "b"]],
    ["?\n", ["é", "e", "éa"]],
    ["??\n", ["é", "ab", "e"]],
    ["*[é]*\n", ["é", "è", "日"]],
    ["a[!/]b\na[/]c\nx[^y]z\n", ["a/b", "axb", "a/c", "x/z", "xaz"]],
    ["{a,b}\n", ["a", "b", "{a,b}"]],
    ["A\n", ["a", "A"]],
    ["*.log\n!important.log\n/deep/**/x.log\n", ["a.log", "important.log", "deep/y/x.log", "d/important.log"]],
    ["a*a*a*a*a*a*a*b\n", ["aaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaab"]],
  ];
  const repository = new Repository();
  try {
    cases.forEach(([rules, paths], index) => {
      repository.ignore(`case${index}/.gitignore`, `case${index}`, "gitignore", rules);
      // Beside the tree, not in it: check-ignore does not check whether a path exists, only whether it is a directory.
      for (const path of paths) repository.entries.set(`case${index}/${path}`, false);
    });
    expect(repository.ourRules()).toEqual(repository.realRules());
  } finally {
    repository.remove();
  }
});
