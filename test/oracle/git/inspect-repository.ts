/** What real git, and a plain look, see in a directory when a scenario is over: by topic, as text. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type Places, runInShell } from "./real-git.ts";
import { environment, normalizeOutput, type Scenario } from "./scenario.ts";

const QUESTIONS: Readonly<Record<string, string>> = {
  fsck: "git fsck --strict --no-progress --no-dangling",
  status: "git status --porcelain=v2 --branch",
  log: "git log --all --format=raw",
  index: "git ls-files -s",
  refs: "git for-each-ref --format='%(refname) %(objectname) %(symref)'",
};
/** Files in `.git` that are text and say what state the repository is in. */
const STATE_FILES = [
  "HEAD",
  "ORIG_HEAD",
  "MERGE_HEAD",
  "MERGE_MODE",
  "MERGE_MSG",
  "SQUASH_MSG",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "REBASE_HEAD",
  "config",
  "shallow",
];

export async function inspectRepository(scenario: Scenario, positions: Places): Promise<Record<string, string>> {
  const state: Record<string, string> = { files: filesIn(positions.root, "") };
  for (const repository of scenario.repositories ?? ["."]) {
    const at = (name: string) => (repository === "." ? name : `${name} of ${repository}`);
    const folder = join(positions.root, repository);
    Object.assign(state, { [at("state files")]: stateFiles(folder, positions) });
    const script = Object.values(QUESTIONS)
      .map((command) => `echo '${MARK}'; ${command} 2>&1; echo "exit $?"`)
      .join("; ");
    const env = environment({ name: "", steps: [] }, { git: [] }, scenario.steps.length, positions);
    const { stdout } = await runInShell({ argv: ["sh", "-c", script], cwd: folder, env });
    const answers = normalizeOutput(stdout, positions).split(`${MARK}\n`).slice(1);
    for (const [i, topic] of Object.keys(QUESTIONS).entries()) {
      const answer = withoutEmptyTree(answers[i] ?? "");
      state[at(topic)] = topic === "fsck" ? inOrder(answer) : answer;
    }
  }
  return state;
}

const MARK = "--8<--";

/** git's index may name the empty tree, which git knows without writing it; its own fsck of 2.39 then misses that object. */
function withoutEmptyTree(answer: string): string {
  return answer.replace("missing tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nexit 2\n", () => "exit 0\n");
}

/** fsck goes through loose objects as their directory happens to list them. */
function inOrder(answer: string): string {
  return answer.split("\n").sort().join("\n");
}

function stateFiles(folder: string, positions: Places): string {
  const gitDir = lstatSync(join(folder, ".git"), { throwIfNoEntry: false })?.isDirectory()
    ? join(folder, ".git")
    : folder;
  const reported: string[] = [];
  for (const name of [...STATE_FILES, ...logsIn(gitDir, "logs")]) {
    const content = readIfFile(join(gitDir, name));
    if (content !== null) reported.push(`${name}:\n${normalizeOutput(content, positions)}`);
  }
  return reported.join("");
}

function readIfFile(path: string): Buffer | null {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : null;
}

function logsIn(gitDir: string, folder: string): string[] {
  const entries = lstatSync(join(gitDir, folder), { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(join(gitDir, folder), { withFileTypes: true })
    : [];
  return entries
    .flatMap((entry) => (entry.isDirectory() ? logsIn(gitDir, `${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .sort();
}

/** Repositories themselves are left to the questions. */
function filesIn(root: string, folder: string): string {
  const lines: string[] = [];
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const stat = lstatSync(join(root, path));
    if (name === ".git" || (stat.isDirectory() && isBare(join(root, path)))) continue;
    if (stat.isDirectory()) lines.push(`${path}/\n${filesIn(root, path)}`);
    else if (stat.isSymbolicLink()) lines.push(`${path} -> ${readlinkSync(join(root, path))}\n`);
    else
      lines.push(
        `${path} ${(stat.mode & 0o111) !== 0 ? "x" : "-"} ${JSON.stringify(readFileSync(join(root, path), "latin1"))}\n`,
      );
  }
  return lines.join("");
}

function isBare(folder: string): boolean {
  const names = readdirSync(folder);
  return ["HEAD", "objects", "refs"].every((name) => names.includes(name));
}
