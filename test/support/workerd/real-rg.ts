/**
 * The real ripgrep on real files, for the search oracle: `POST Question` writes the tree to a temporary directory, asks every
 * query of it and gives `Answer[]`; `GET` gives the run's settings; `PUT Guard` before and `DELETE` after what may hang.
 */
import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { type Answer, contentOf, type Query, type Question, type Tree } from "../../oracle/search/question.ts";
import { type RgOutput, rgAnswer } from "../../oracle/search/rg-answer.ts";
import { rgArgv } from "../../oracle/search/rg-argv.ts";

/** From the environment: `SEARCH_SEED=7 SEARCH_ROUNDS=5 SEARCH_FAILURES=20 npx vitest run test/oracle`. */
export interface SearchSettings {
  seed: number;
  rounds?: string;
  failures?: string;
}

/** A hang blocks the isolate, and no timeout in it can end it: the process around it says what hung, and ends. */
export interface Guard {
  what: string;
  ms: number;
}

/** Changes a command line: how the harness proves that it notices a wrong engine. */
export type Distort = (argv: string[]) => string[];

interface Command {
  folder: string;
  argv: string[];
}

const TIMEOUT_MS = 300_000;
let base: string | undefined;
let created = 0;
let guard: ReturnType<typeof setTimeout> | undefined;

export async function realRg(request: Request): Promise<Response> {
  if (request.method === "GET") return Response.json(searchSettings());
  if (request.method === "DELETE") return Response.json(clearTimeout(guard) ?? null);
  if (request.method === "PUT") return Response.json(setGuard((await request.json()) as Guard));
  return Response.json(await runRealRg((await request.json()) as Question));
}

function setGuard({ what, ms }: Guard): null {
  clearTimeout(guard);
  guard = setTimeout(() => {
    console.error(`It has not returned after ${ms / 1000} s: ${what}`);
    process.exit(1);
  }, ms);
  return null;
}

function searchSettings(): SearchSettings {
  const { SEARCH_SEED: seed = 1, SEARCH_ROUNDS: rounds, SEARCH_FAILURES: failures } = process.env;
  return { seed: Number(seed), rounds, failures };
}

export async function runRealRg({ tree, queries }: Question, distort: Distort = (argv) => argv): Promise<Answer[]> {
  const own = join(baseFolder(), String(created++));
  const root = join(own, "root");
  try {
    plant(root, tree);
    const commands = queries.map((query) => commandFor(root, tree, query));
    const outputs = await runAll(
      own,
      commands.map(({ folder, argv }) => ({ folder: join(root, folder), argv: distort(argv) })),
    );
    return outputs.map((output, at) => {
      const { folder } = commands[at]!;
      return rgAnswer(queries[at]!, folder === "" ? "" : `${folder}/`, output);
    });
  } finally {
    rmSync(own, { recursive: true, force: true });
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
function commandFor(root: string, tree: Tree, query: Query): Command {
  const inRepository = tree.some((entry) => /^\.git(\/|$)/.test(entry.path));
  const path = query.path ?? "";
  const target = join(root, path);
  // False for a link that leads nowhere or in circles, too.
  const isDirectory = existsSync(target) && statSync(target).isDirectory();
  if (isDirectory) return { folder: path, argv: rgArgv(query, { target: "./", inRepository }) };
  const slash = path.lastIndexOf("/");
  const named = { target: `./${path.slice(slash + 1)}`, inRepository };
  return { folder: path.slice(0, Math.max(0, slash)), argv: rgArgv(query, named) };
}

/** All in one shell: to fork a small process costs a tenth of what it costs to fork Node. */
async function runAll(own: string, commands: readonly Command[]): Promise<RgOutput[]> {
  const lines = commands.map(({ folder, argv }, at) => {
    const [out, err, status] = ["out", "err", "status"].map((name) => quoted(join(own, `${at}.${name}`)));
    return `cd ${quoted(folder)}; ${[rgPath, ...argv].map(quoted).join(" ")} </dev/null >${out} 2>${err}; echo $? >${status}`;
  });
  writeFileSync(join(own, "script"), `${lines.join("\n")}\n`);
  await sh(join(own, "script"));
  return commands.map((_, at) => ({
    status: Number(readFileSync(join(own, `${at}.status`), "utf8")),
    stdout: readFileSync(join(own, `${at}.out`), "utf8"),
    stderr: readFileSync(join(own, `${at}.err`), "utf8"),
  }));
}

function quoted(argument: string): string {
  if (argument.includes("\0")) throw new Error("no command line can hold a NUL");
  return `'${argument.replaceAll("'", () => "'\\''")}'`;
}

function sh(script: string): Promise<void> {
  // Without a home there are no global ignore rules.
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", XDG_CONFIG_HOME: "/nonexistent" };
  return new Promise((resolve, reject) => {
    execFile("/bin/sh", [script], { env, timeout: TIMEOUT_MS }, (error) => (error ? reject(error) : resolve()));
  });
}
