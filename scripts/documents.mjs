// Fills what documents take from elsewhere: README's blocks marked with a file of examples/, docs/differences.md from the lists
// that the contract suite and ripgrep's oracle hold both sides to, the tables of docs/performance.md from the newest kept
// run of each suite of the bench, and llms.txt from the skill and the guides. `--check` only compares. Needs Node 22 or newer, for importing
// TypeScript.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { differences } from "../test/contract/differences.ts";
import { differences as fromRipgrep } from "../test/oracle/search/differences.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => readFileSync(`${root}${path}`, "utf8");

const readme = read("README.md").replace(
  /^```ts (examples\/\S+)\n[\s\S]*?^```$/gm,
  (_, file) => `\`\`\`ts ${file}\n${read(file)}\`\`\``,
);
const row = (...cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const table = Object.values(differences)
  .map(({ name, ours, node, why }) => row(name, ours, node, why))
  .join("\n");

/** Patterns stand for themselves; where it is the tree that makes the difference, the test shows it. */
const refusedExamples = ({ refusal, examples }) => {
  const patterns = examples.filter(({ ours }) => ours === "refused").map(({ query }) => query.pattern);
  return refusal ? ` Refused: ${patterns.map((pattern) => `\`${pattern}\``).join(", ")}.` : "";
};
const searchTable = fromRipgrep
  .map((one) => row(one.name, one.reason + refusedExamples(one), `“grep differs from ripgrep on purpose: ${one.name}”`))
  .join("\n");
const notes = read("docs/differences.notes.md");
const page = `# Differences

<!-- Made by scripts/documents.mjs from test/contract/differences.ts, test/oracle/search/differences.ts and docs/differences.notes.md. -->

## From \`node:fs\` on Linux

Each row is held on both sides by \`test/contract/differing.ts\`.

| what | ours | Node's | why |
|---|---|---|---|
${table}

## From ripgrep 15

For \`grep\`, \`grepStream\` and the \`rg\` that takes ripgrep's argv. Our side of each row is held by the test of
\`test/oracle/search.workerd.test.ts\` that it names, with examples; ripgrep's side of the same examples by
\`test/oracle/search-harness.test.ts\`. Whatever else the two are asked there, they answer alike.

| what | why | test |
|---|---|---|
${searchTable}

${notes}`;

const results = "test/bench/results/";

/** A part of a kept run: "times" or "cost", which are headings in most of them; those without headings are one table. */
function keptTable(suite, part) {
  const newest = readdirSync(`${root}${results}`)
    .filter((file) => file.endsWith(`-${suite}.md`))
    .sort()
    .at(-1);
  if (newest === undefined) throw new Error(`no kept run of ${suite}`);
  const sections = read(`${results}${newest}`).split(/^## /m);
  const section = sections.find((text) => text.toLowerCase().startsWith(part)) ?? sections[0];
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return `Kept run: [${newest}](../${results}${newest}).\n\n${rows.join("\n")}`;
}

const performance = read("docs/performance.md").replace(
  /^(<!-- results: (\w+) (\w+) -->)\n[\s\S]*?^<!-- end -->$/gm,
  (_, mark, suite, part) => `${mark}\n${keptTable(suite, part)}\n<!-- end -->`,
);

/** One level down; a comment in a block of code is no heading. */
function deeperHeadings(text) {
  return text
    .split(/^(```[\s\S]*?^```)$/m)
    .map((part, at) => (at % 2 === 0 ? part.replace(/^#/gm, "##") : part))
    .join("");
}

/** What a model needs to use a deployment or the library; the Worker serves it with the page's files. */
const llms = `# Workspace

> A durable working directory for AI agents on Cloudflare: files, search, git, a shell and history in one Durable Object. This file is
> the library's skill, then the HTTP API with MCP, then the command line.

${[
  read("skills/workspace/SKILL.md").replace(/^---[\s\S]*?---\n+/, ""),
  read("packages/worker/README.md"),
  read("packages/cli/README.md"),
]
  .map((text) => deeperHeadings(text).trim())
  .join("\n\n")}
`;

const made = {
  "docs/performance.md": performance,
  "README.md": readme,
  "docs/differences.md": page,
  "packages/studio/public/llms.txt": llms,
};
if (process.argv.includes("--check")) {
  const stale = Object.keys(made).filter((file) => !existsSync(`${root}${file}`) || made[file] !== read(file));
  if (stale.length > 0) {
    console.error(`not up to date: ${stale.join(", ")}; run \`npm run docs:generate\``);
    process.exit(1);
  }
} else {
  for (const [file, text] of Object.entries(made)) writeFileSync(`${root}${file}`, text);
}
