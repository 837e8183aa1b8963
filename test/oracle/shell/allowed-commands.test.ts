/**
 * Random shell lines against the allow-list: what it lets through runs in bash, sh and the Worker's shell, and starts no program that is
 * not on the list. Every line tries to run `touch`, which is not, or to find another `ls` through a changed PATH. The Worker's shell also
 * runs random argument lists. `ALLOWED_COMMANDS_LINES` sets how many lines there are (200000 for a long run), `ALLOWED_COMMANDS_SEED`
 * which ones.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkBudget } from "@workspace/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkCommand } from "../../../packages/fs-tools/src/tools/exec/allowed-commands.ts";
import { quoteWord } from "../../../packages/shell/src/quote.ts";
import { createBashFileSystem } from "../../../packages/shell/src/worker/bash-file-system.ts";
import { withBash } from "../../../packages/shell/src/worker/bash-modules.ts";
import { createNodeFileSystem } from "../../contract/node-file-system.ts";
import { Random } from "../../support/random.ts";
import { plainArgv, plainLines } from "./plain-lines.ts";
import { refusedLines } from "./refused-lines.ts";

const LINES = Number(process.env.ALLOWED_COMMANDS_LINES ?? 6_000);
const SEED = Number(process.env.ALLOWED_COMMANDS_SEED ?? 1);
const BATCH = 2_000;
const TIMEOUT_MS = 120_000 + LINES * 10;

/** `eval` and the like are on the list, so that the check of builtins is tried too. `kill` is not: the lines run as a real user. */
const ALLOWED = (
  "ls cat echo printf test [ true pwd cd umask shift exit eval export read unset let declare trap set : pushd popd dirs ulimit " +
  "break return caller times command exec builtin time alias source mapfile getopts"
).split(" ");
/** What is in the directory when no line got through. `printf %n PATH` makes 0 the PATH. */
const UNTOUCHED = ["0", "file"];

let directory = "";
let work = "";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "allowed-"));
  work = join(directory, "work");
  mkdirSync(join(directory, "bin"));
  mkdirSync(work);
  for (const name of ["ls", "cat", "touch"]) symlinkSync(`/bin/${name}`, join(directory, "bin", name));
  writeFileSync(join(work, "file"), "text\n");
  mkdirSync(join(work, "0"));
  for (const name of ["ls", "cat"]) writeFileSync(join(work, "0", name), "#!/bin/sh\n: > pwned\n", { mode: 0o755 });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe(`checkCommand lets no other program start, in ${LINES} random lines`, () => {
  const accepted = acceptedLines();

  it("checkCommand accepts enough of them", () => {
    expect(accepted.length).toBeGreaterThan(LINES / 20);
  });

  it.each(["bash", "sh"])(
    "%s",
    (shell) => {
      for (let from = 0; from < accepted.length; from += BATCH) {
        const lines = accepted.slice(from, from + BATCH);
        const reported = runLines(shell, lines);
        expect(started(), `${lines.length} lines from ${from}`).toEqual(UNTOUCHED);
        expect(unknownPrograms(reported)).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );

  it(
    "the Worker's shell",
    async () => {
      for (const line of accepted) {
        await runInWorkerShell(line);
        expect(started(), line).toEqual(UNTOUCHED);
      }
    },
    TIMEOUT_MS,
  );

  it(
    "the Worker's shell, argument lists",
    async () => {
      for (const argv of acceptedArgv()) {
        await runInWorkerShell(quoteWord(argv[0] as string), argv.slice(1));
        expect(started(), argv.join(" ")).toEqual(UNTOUCHED);
      }
    },
    TIMEOUT_MS,
  );
});

describe("checkCommand, attempts by hand", () => {
  it.each(refusedLines)("refuses %j", (line) => {
    expect(isAllowed(line)).toBe(false);
  });

  it.each(plainLines)("lets %j pass, which starts nothing", async (line) => {
    expect(isAllowed(line)).toBe(true);
    for (const shell of ["bash", "sh"]) {
      const { stderr } = spawnSync(`/bin/${shell}`, ["-c", line], shellOptions());
      expect([shell, started(), unknownPrograms(stderr)]).toEqual([shell, UNTOUCHED, []]);
    }
    await runInWorkerShell(line);
    expect(started()).toEqual(UNTOUCHED);
  });

  it("starts nothing by an argument list", async () => {
    for (const argv of plainArgv.filter((one) => isAllowed([...one]))) {
      await runInWorkerShell(quoteWord(argv[0] as string), argv.slice(1));
      expect([argv, started()]).toEqual([argv, UNTOUCHED]);
    }
  });
});

function acceptedLines(): string[] {
  const random = new Random(SEED);
  return Array.from({ length: LINES }, () => makeLine(random)).filter(isAllowed);
}

function acceptedArgv(): string[][] {
  const random = new Random(SEED);
  const makeArgv = () => [
    random.pick(ALLOWED),
    ...Array.from({ length: random.between(0, 4) }, () => random.pick(ATTACKS)),
  ];
  return Array.from({ length: Math.ceil(LINES / 10) }, makeArgv).filter(isAllowed);
}

function isAllowed(command: string | string[]): boolean {
  try {
    checkCommand(command, ALLOWED);
    return true;
  } catch {
    return false;
  }
}

/** Names, operators and quotes that mean something to a shell, put together as a shell might read them. */
const ATTACKS = [
  "$(touch pwned)",
  "`touch pwned`",
  "a[$(touch pwned)]",
  "$[a[$(touch pwned)]]",
  "$((a[$(touch pwned)]))",
  `$\{x:-$(touch pwned)}`,
  `$\{x@P}`,
  `$\{!x}`,
  "<(touch pwned)",
  ">(touch pwned)",
  "> pwned",
  "a=b",
  "a[0]=b",
  "PATH=.",
  "$[_]",
  "$_",
  "$x",
  "$HOME",
  "$x[0]",
  "$1",
  "$@",
  "$?",
  "$$",
  "$'\\x74ouch'",
  '$"x"',
  "{touch,pwned}",
  "touch",
  "pwned",
  "-v",
  "-R",
  "-eq",
  "-lt",
  "x",
  "1",
  "-a",
  "-o",
  "!",
  "=",
  "*",
  "?",
  "[a]",
  "[",
  "]",
  "[[",
  "]]",
  "~",
  "((",
  "))",
  "#",
  "\\",
  "\n",
  "\r",
  "\t",
  "\u00a0",
  "\0",
  "%s",
  "%(x)T",
  "%b",
  "%d",
  "-p",
  "--",
  "touch pwned",
  "'",
  '"',
  ";",
  "&",
  "|",
  "(",
  ")",
  "{",
  "}",
  "<",
  ">",
  "file",
  "-n",
  "-f",
  "-z",
  "-e",
  "EXIT",
  "é",
  "0x1",
  "a[b]",
  "x=a[b]",
  "a+=b",
  "%n",
  "%s%-5ln",
  "PATH",
  "PATH=0",
  "IFS",
  "<<<x",
  "<<EOF",
  "coproc",
  "time",
  "function",
  "command",
  "exec",
  "builtin",
  "env",
  "if",
  "then",
  "do",
  "select",
  "case",
  "esac",
  "+(touch)",
  "@(pwned|x)",
  "{a..c}",
  "~touch",
  "%1",
  "^a^b",
  "!touch",
  "!!",
  "$'\\n'",
  "$'\\c@'",
  "\\\n",
  "\u2028",
  "\u3000",
  "\ufeff",
  "\u0085",
  "\u0001",
  "\ue000",
  "\ud83d",
  "$((a))",
  `$\{#a}`,
  `$\{a[0]}`,
  `$\{a:0:1}`,
  `$\{a/b/$(touch pwned)}`,
  `$\{ touch pwned; }`,
  `$\{| touch pwned; }`,
  "-x",
  "-t",
  "-ef",
  "-va[$(touch pwned)]",
  "/dev/fd/0",
  "a[`touch pwned`]",
  "BASH_ENV=file",
  "PS4=$(touch pwned)",
  "0<&1",
  "2>pwned",
  "&>pwned",
] as const;
const SEPARATORS = [" ; ", " && ", " || ", " | ", ";", "|", " & ", "\n", " |& ", " ;; "] as const;

function makeLine(random: Random): string {
  let line = makeCommand(random);
  while (random.next() < 0.35)
    line += random.pick(random.next() < 0.8 ? SEPARATORS.slice(0, 4) : SEPARATORS) + makeCommand(random);
  return line;
}

function makeCommand(random: Random): string {
  const words = [random.next() < 0.93 ? random.pick(ALLOWED) : random.pick(ATTACKS)];
  for (let left = random.between(0, 4); left > 0; left--) words.push(makeWord(random));
  return words.join(" ");
}

function makeWord(random: Random): string {
  let text = random.pick(ATTACKS) as string;
  if (random.next() < 0.25) text += random.pick(ATTACKS);
  const quote = random.next();
  if (quote < 0.45) return `'${text.replaceAll("'", "")}'`;
  if (quote < 0.7) return `"${text}"`;
  if (quote < 0.75) return text.replace(/[^\w]/g, (char) => `\\${char}`);
  return text;
}

/** One process for many lines, and a subshell for each: `eval` reads a line as `-c` does. Returns what they write to stderr. */
function runLines(shell: string, lines: readonly string[]): string {
  writeFileSync(join(directory, "lines"), `${lines.join("\n")}\n`);
  const script =
    'while IFS= read -r line <&3; do ( eval "$line" ) </dev/null 3<&-; done 3<"$1" 2>&1 >/dev/null; exit 0';
  return execFileSync(`/bin/${shell}`, ["-c", script, shell, join(directory, "lines")], {
    ...shellOptions(),
    maxBuffer: 256 * 1024 * 1024,
  });
}

function shellOptions() {
  const env = { PATH: join(directory, "bin"), HOME: work, x: "-v", LC_ALL: "C.UTF-8" };
  return { cwd: work, env, input: "", encoding: "utf8" as const };
}

function started(): string[] {
  const names = readdirSync(work).sort();
  for (const name of names) if (!UNTOUCHED.includes(name)) rmSync(join(work, name), { recursive: true, force: true });
  return names;
}

function unknownPrograms(reported: string): string[] {
  return [...reported.matchAll(/(\S+): (?:command )?not found/g)]
    .map((match) => match[1] as string)
    .filter((name) => !ALLOWED.includes(name));
}

async function runInWorkerShell(line: string, args?: string[]): Promise<void> {
  const fs = createNodeFileSystem();
  const budget = createWorkBudget();
  await withBash(budget, async ({ Bash }) => {
    const files = createBashFileSystem(fs, { budget, isCommand: () => false, tooLarge: () => {} });
    const bash = new Bash({ fs: files, cwd: work, env: { HOME: work, x: "-v" }, defenseInDepth: false });
    await bash.exec(line, { rawScript: true, ...(args && { args }) });
  });
}
