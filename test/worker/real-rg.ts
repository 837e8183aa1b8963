/**
 * The real ripgrep on real files, for the search oracle: `POST Question` writes the tree to a temporary directory, asks every
 * query of it and gives `Answer[]`; `GET` gives the run's settings.
 */
import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { type Answer, contentOf, type Query, type Question, type Tree } from "../oracle/search/question.ts";
import { type RgOutput, rgAnswer } from "../oracle/search/rg-answer.ts";
import { rgArgv } from "../oracle/search/rg-argv.ts";

/** From the environment: `SEARCH_SEED=7 SEARCH_ROUNDS=5 SEARCH_FAILURES=20 npx vitest run test/oracle`. */
export interface SearchSettings {
  seed?: string;
  rounds?: string;
  failures?: string;
}

const AT_ONCE = 4;
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 1 << 28;
let base: string | undefined;
let made = 0;

export async function realRg(request: Request): Promise<Response> {
  if (request.method === "GET") return Response.json(searchSettings());
  return Response.json(await askRealRg((await request.json()) as Question));
}

export function searchSettings(): SearchSettings {
  const { SEARCH_SEED: seed, SEARCH_ROUNDS: rounds, SEARCH_FAILURES: failures } = process.env;
  return { seed, rounds, failures };
}

/** `distort` changes the command line: how the harness proves that it notices a wrong engine. */
export async function askRealRg(
  { tree, queries }: Question,
  distort: (argv: string[], query: Query) => string[] = (argv) => argv,
): Promise<Answer[]> {
  const root = join(baseFolder(), String(made++));
  try {
    plant(root, tree);
    const answers: Answer[] = [];
    for (let at = 0; at < queries.length; at += AT_ONCE) {
      const batch = queries.slice(at, at + AT_ONCE);
      answers.push(...(await Promise.all(batch.map((query) => ask(root, query, distort)))));
    }
    return answers;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** In memory where there is such a directory. */
function baseFolder(): string {
  if (base) return base;
  const home = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const folder = realpathSync(mkdtempSync(join(home, "workspace-search-")));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  base = folder;
  return folder;
}

function plant(root: string, tree: Tree): void {
  mkdirSync(root, { recursive: true });
  for (const entry of tree) {
    const path = join(root, entry.path);
    if (!path.startsWith(`${root}/`)) throw new Error(`not in the tree: ${entry.path}`);
    mkdirSync("directory" in entry ? path : dirname(path), { recursive: true });
    if ("target" in entry) symlinkSync(entry.target, path);
    else if (!("directory" in entry)) writeFileSync(path, contentOf(entry));
  }
}

/** From the searched directory itself: globs are relative to where ripgrep runs, in a workspace to where it searches. */
async function ask(root: string, query: Query, distort: (argv: string[], query: Query) => string[]): Promise<Answer> {
  const path = query.path ?? "";
  const target = join(root, path);
  // False for a link that leads nowhere or in circles, too.
  const isDirectory = existsSync(target) && statSync(target).isDirectory();
  const folder = isDirectory ? path : path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const argv = rgArgv(query, isDirectory ? "./" : `./${path.slice(path.lastIndexOf("/") + 1)}`);
  const output = await run(join(root, folder), distort(argv, query));
  return rgAnswer(query, folder === "" ? "" : `${folder}/`, output);
}

function run(cwd: string, argv: readonly string[]): Promise<RgOutput> {
  // No home: nobody's global ignore rules.
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", XDG_CONFIG_HOME: "/nonexistent" };
  return new Promise((resolve) => {
    execFile(
      rgPath,
      argv,
      { cwd, env, encoding: "buffer", maxBuffer: MAX_OUTPUT_BYTES, timeout: TIMEOUT_MS },
      (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ status, stdout, stderr: stderr.toString("utf8") || (status < 0 ? String(error) : "") });
      },
    );
  });
}
