// Generates the parts of documents that come from elsewhere; `--check` only compares:
// - blocks of code marked with a file of examples/ or test/adapters/examples/, in README, the guide and the READMEs of packages;
// - docs/differences.md, from the lists that the contract suite and ripgrep's oracle check;
// - the tables of README and docs/performance.md, from the newest run of each bench suite;
// - the packages in docs/architecture.md, from the list that the architecture test enforces;
// - llms.txt, from the skill and the guide.
// Needs Node 22 or newer, to import TypeScript.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ALLOWED, LEAVES, VFS_FOLDERS } from "../test/architecture/allowed-imports.ts";
import { GIT_LAYERS } from "../test/architecture/git-layers.ts";
import { differences } from "../test/contract/differences.ts";
import { differences as fromRipgrep } from "../test/oracle/search/differences.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => readFileSync(`${root}${path}`, "utf8");

/** The documents whose code blocks are files of the examples. */
const guide = readdirSync(`${root}docs/guide`).map((file) => `docs/guide/${file}`);
const packageReadmes = readdirSync(`${root}packages`)
  .map((name) => `packages/${name}/README.md`)
  .filter((file) => existsSync(`${root}${file}`));
const withExamples = (text) =>
  text.replace(
    /^```(\w+) ((?:test\/adapters\/)?examples\/\S+)\n[\s\S]*?^```$/gm,
    (_, language, file) => `\`\`\`${language} ${file}\n${read(file)}\`\`\``,
  );
const row = (...cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const table = Object.values(differences)
  .map(({ name, ours, node, why }) => row(name, ours, node, why))
  .join("\n");

/** Patterns are shown as they are; if the tree makes the difference, the test shows it. */
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
\`test/oracle/search/search.workerd.test.ts\` that it names, with examples; ripgrep's side of the same examples by
\`test/oracle/search/harness.test.ts\`. Whatever else the two are asked there, they answer alike.

| what | why | test |
|---|---|---|
${searchTable}

${notes}`;

const results = "test/bench/results/";

function newestRun(suite) {
  const newest = readdirSync(`${root}${results}`)
    .filter((file) => file.endsWith(`-${suite}.md`))
    .sort()
    .at(-1);
  if (newest === undefined) throw new Error(`no saved run of ${suite}`);
  return newest;
}

/**
 * The rows of a section of the newest run: "times" or "cost", which are headings in most of them; a run without headings is one
 * table.
 */
function resultRows(suite, part) {
  const sections = read(`${results}${newestRun(suite)}`).split(/^## /m);
  const section = sections.find((text) => text.toLowerCase().startsWith(part)) ?? sections[0];
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** The bench's goals are for its `--check`; a reader gets the figures. An empty column is omitted. */
const withoutGoals = (rows) => {
  const isShown = (at) =>
    !["budget", "goal"].includes(rows[0][at]) && (at === 0 || rows.slice(2).some((cells) => cells[at] !== "–"));
  const words = (cell) =>
    cell
      .replace(/ \([≥>≤][^)]*\)/, "")
      .replace("ours", "Workspace")
      .replace("the call beneath", "direct call")
      .replace("our calls a second", "calls per second")
      .replace(/^a second/, "per second");
  return rows.map((cells) => cells.filter((_, at) => isShown(at)).map(words));
};

function resultTable(suite, part) {
  const [head, rule, ...rows] = withoutGoals(resultRows(suite, part));
  const newest = newestRun(suite);
  const lines = [head, rule.map((_, at) => (at === 0 ? "---" : "---:")), ...rows].map(
    (cells) => `| ${cells.join(" | ")} |`,
  );
  return `[${newest}](../${results}${newest})\n\n${lines.join("\n")}`;
}

const performance = read("docs/performance.md").replace(
  /^(<!-- results: (\w+) (\w+) -->)\n[\s\S]*?^<!-- end -->$/gm,
  (_, mark, suite, part) => `${mark}\n${resultTable(suite, part)}\n<!-- end -->`,
);

/** README's only table: rows of several suites side by side. */
const HEADLINE = [
  ["fs", "write all, one by one", "write 2 000 files of 6 KB"],
  ["fs", "read all", "read them all"],
  ["fs", "stat all, 5 times", "stat them all, 5 times"],
  ["fs", "rm -r the tree", "`rm -r` the tree"],
  ["search", "rare literal, 100 MB, warm", "grep a rare literal in 100 MB"],
  ["search", "regex with many hits, 100 MB, warm", "grep a regex with many hits in 100 MB"],
  ["git", "clone, 20 000 files", "git clone, 20 000 files"],
  ["git", "status, clean tree, 20 000 files, warm", "git status, 20 000 files"],
  ["git", "log -n 100", "git log -n 100"],
  ["git", "switch to a branch 500 files away", "git switch, 500 files differ"],
];

function headlineTable() {
  const rows = HEADLINE.map(([suite, name, label]) => {
    const [head, , ...all] = resultRows(suite, "times");
    const cells = all.find(([first]) => first === name);
    if (cells === undefined) throw new Error(`no row "${name}" in the newest run of ${suite}`);
    const cell = (matches) => cells[head.findIndex(matches)] ?? "–";
    const named = (wanted) => cell((title) => title === wanted);
    const native = cell((title) => /^native \w+$/.test(title));
    return [label, named("ours"), named("computer"), named("shell"), named("AgentFS"), native];
  });
  const head = ["ms", "Workspace", "computer", "shell", "AgentFS", "native"];
  const rule = ["---", ...head.slice(1).map(() => "---:")];
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const readme = withExamples(read("README.md")).replace(
  /^<!-- headline -->\n[\s\S]*?^<!-- end -->$/m,
  () => `<!-- headline -->\n${headlineTable()}\n<!-- end -->`,
);

/** The allowed imports, as the architecture test enforces them, with each package's description. */
function importTable() {
  const leaves = LEAVES.map((folder) => JSON.parse(read(`${folder}/package.json`)).name);
  const rows = Object.entries(ALLOWED).map(([folder, allowed]) => {
    const { name, description } = JSON.parse(read(`${folder}/package.json`));
    const own = allowed.map((each) => (each.startsWith("type:") ? `types of \`${each.slice(5)}\`` : `\`${each}\``));
    const importsNothing = LEAVES.includes(folder) || folder === "migrations";
    const may = importsNothing ? ["nothing"] : own.length > 0 ? own : ["the leaves only"];
    return `| [\`${folder}\`](../${folder}) | \`${name}\` | ${description} | ${may.join(", ")} |`;
  });
  const intro = `Every package may also import the leaves: ${leaves.map((name) => `\`${name}\``).join(", ")}.`;
  return [intro, "", "| folder | package | what it is | may import |", "|---|---|---|---|", ...rows].join("\n");
}

function vfsFolderTable() {
  const rows = Object.entries(VFS_FOLDERS).map(([folder, { about, imports }]) => {
    const values = imports.filter((name) => !name.startsWith("type:"));
    const types = imports.filter((name) => name.startsWith("type:")).map((name) => name.slice(5));
    const may = [values.join(", "), types.length > 0 ? `types of ${types.join(", ")}` : ""].filter(
      (text) => text !== "",
    );
    return `| [\`${folder}\`](../packages/vfs/src/${folder}) | ${about} | ${may.join("; ") || "nothing"} |`;
  });
  return ["| folder of vfs | what it is | may import |", "|---|---|---|", ...rows].join("\n");
}

/** The layers inside packages/git, lowest first. */
function gitLayerTable() {
  const named = (folder) => (folder.startsWith("type:") ? `types of \`${folder.slice(5)}\`` : `\`${folder}\``);
  const rows = GIT_LAYERS.map(({ folders, what, imports }) => {
    const may = imports === undefined ? "its row and the rows above" : imports.map(named).join(", ");
    return `| ${folders.map(named).join(", ")} | ${what} | ${may} |`;
  });
  return ["| folders | what they hold | may import |", "|---|---|---|", ...rows].join("\n");
}

const architecture = read("docs/architecture.md")
  .replace(/^<!-- imports -->\n[\s\S]*?^<!-- end -->$/m, () => `<!-- imports -->\n${importTable()}\n<!-- end -->`)
  .replace(/^<!-- vfs -->\n[\s\S]*?^<!-- end -->$/m, () => `<!-- vfs -->\n${vfsFolderTable()}\n<!-- end -->`)
  .replace(
    /^<!-- git layers -->\n[\s\S]*?^<!-- end -->$/m,
    () => `<!-- git layers -->\n${gitLayerTable()}\n<!-- end -->`,
  );

/** llms.txt is standalone, so a relative link becomes its text. */
const withoutRelativeLinks = (text) => text.replace(/(?<!!)\[([^\]]+)\]\((?!https?:)[^)]+\)/g, "$1");

/** Moves headings one level down; a comment in a code block is not a heading. */
function deeperHeadings(text) {
  return text
    .split(/^(```[\s\S]*?^```)$/m)
    .map((part, at) => (at % 2 === 0 ? part.replace(/^#/gm, "##") : part))
    .join("");
}

/** What a model needs to use a deployment or the library; the Worker serves it with the page's files. */
const llms = `# Workspace

> A durable working directory for AI agents on Cloudflare: files, search, git, a shell and history in one Durable Object. This file is
> the library's skill, then the HTTP API, authentication, previews, MCP and the command line.

${[
  read("skills/workspace/SKILL.md").replace(/^---[\s\S]*?---\n+/, ""),
  ...["http-api", "auth", "previews", "mcp", "cli"].map((page) => withExamples(read(`docs/guide/${page}.md`))),
]
  .map((text) => withoutRelativeLinks(deeperHeadings(text)).trim())
  .join("\n\n")}
`;

const created = {
  "docs/architecture.md": architecture,
  "docs/performance.md": performance,
  "README.md": readme,
  ...Object.fromEntries([...guide, ...packageReadmes].map((file) => [file, withExamples(read(file))])),
  "docs/differences.md": page,
  "packages/studio/public/llms.txt": llms,
};
if (process.argv.includes("--check")) {
  const stale = Object.keys(created).filter((file) => !existsSync(`${root}${file}`) || created[file] !== read(file));
  if (stale.length > 0) {
    console.error(`not up to date: ${stale.join(", ")}; run \`npm run docs:generate\``);
    process.exit(1);
  }
} else {
  for (const [file, text] of Object.entries(created)) writeFileSync(`${root}${file}`, text);
}
