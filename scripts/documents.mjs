// Fills what documents take from the source: README's blocks marked with a file of examples/, and docs/differences.md from the list
// that the contract suite holds both sides to. `--check` only compares. Needs Node 22 or newer, for importing TypeScript.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { differences } from "../test/contract/differences.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => readFileSync(`${root}${path}`, "utf8");

const readme = read("README.md").replace(
  /^```ts (examples\/\S+)\n[\s\S]*?^```$/gm,
  (_, file) => `\`\`\`ts ${file}\n${read(file)}\`\`\``,
);
const table = Object.values(differences)
  .map(
    ({ name, ours, node, why }) =>
      `| ${[name, ours, node, why].map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`,
  )
  .join("\n");
const notes = read("docs/differences.notes.md");
const page = `# Differences

<!-- Made by scripts/documents.mjs from test/contract/differences.ts and docs/differences.notes.md. -->

## From \`node:fs\` on Linux

Each row is held on both sides by \`test/contract/differing.ts\`.

| what | ours | Node's | why |
|---|---|---|---|
${table}

${notes}`;

const made = { "README.md": readme, "docs/differences.md": page };
if (process.argv.includes("--check")) {
  const stale = Object.keys(made).filter((file) => made[file] !== read(file));
  if (stale.length > 0) {
    console.error(`not up to date: ${stale.join(", ")}; run \`npm run documents\``);
    process.exit(1);
  }
} else {
  for (const [file, text] of Object.entries(made)) writeFileSync(`${root}${file}`, text);
}
