/**
 * A scenario is a list of steps, played by real git in one directory and by ours in another. After each git step stdout, stderr
 * and exit code must be equal; at the end real git looks at both directories, and must see the same. Plain data, so that it can
 * travel to Node and back.
 */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Where repositories are at the end, relative to the root; default the root itself. Empty: only the files are compared. */
  readonly repositories?: readonly string[];
  /** For all git steps. */
  readonly env?: Readonly<Record<string, string>>;
}

export type Step = string | GitStep | FileStep;

/** A string is split as a shell would: quotes and backslashes, no expansion. Its first word must be "git". */
export interface GitStep {
  /** Without the leading "git". */
  readonly git: readonly string[];
  /** Relative to the root. */
  readonly cwd?: string;
  /** A value may hold `<root>`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** What is not compared, with the reason in a comment beside it. */
  readonly ignore?: readonly ("stdout" | "stderr")[];
}

export type FileStep =
  | { readonly write: Readonly<Record<string, string | Uint8Array>> }
  | { readonly append: Readonly<Record<string, string>> }
  | { readonly remove: string }
  | { readonly mkdir: string }
  | { readonly chmod: readonly [path: string, mode: number] }
  | { readonly symlink: readonly [path: string, target: string] }
  | { readonly rename: readonly [from: string, to: string] };

export interface StepOutput {
  exitCode: number;
  /** The root is replaced by `<root>`; output that is no UTF-8 has its bytes as `\\xNN`. */
  stdout: string;
  stderr: string;
}

/** Null for file steps. */
export interface Recording {
  readonly outputs: readonly (StepOutput | null)[];
  /** What real git sees at the end, by topic. */
  readonly state: Readonly<Record<string, string>>;
}

export const ROOT = "<root>";
const START = 1_700_000_000;
const SECONDS_PER_STEP = 60;

/** Seconds since 1970, at the step of that number. */
export function timeOfStep(at: number): number {
  return START + at * SECONDS_PER_STEP;
}

export function gitStep(step: string | GitStep): GitStep {
  if (typeof step !== "string") return step;
  const [name, ...git] = splitCommand(step);
  if (name !== "git") throw new Error(`a step must begin with "git": ${step}`);
  return { git };
}

export function isGitStep(step: Step): step is string | GitStep {
  return typeof step === "string" || "git" in step;
}

/** The environment of one git step. `home` is an empty directory. */
export function environment(scenario: Scenario, step: GitStep, at: number, positions: { root: string; home: string }) {
  const date = `${timeOfStep(at)} +0000`;
  const env: Record<string, string> = {
    GIT_CONFIG_NOSYSTEM: "1",
    HOME: positions.home,
    LC_ALL: "C",
    TZ: "UTC",
    GIT_AUTHOR_NAME: "A U Thor",
    GIT_AUTHOR_EMAIL: "author@example.com",
    GIT_COMMITTER_NAME: "C O Mitter",
    GIT_COMMITTER_EMAIL: "committer@example.com",
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
    GIT_TEST_DATE_NOW: String(timeOfStep(at)),
    // A work tree above the scenario's own is never found.
    GIT_CEILING_DIRECTORIES: positions.root.slice(0, positions.root.lastIndexOf("/")),
  };
  for (const [name, value] of Object.entries({ ...scenario.env, ...step.env })) {
    env[name] = value.replaceAll(ROOT, () => positions.root);
  }
  return env;
}

/** Arguments may hold `<root>` too. */
export function argvOf({ git }: GitStep, root: string): string[] {
  return git.map((argument) => argument.replaceAll(ROOT, () => root));
}

export function stdinOf({ stdin }: GitStep, root: string): string | Uint8Array {
  return typeof stdin === "string" ? stdin.replaceAll(ROOT, () => root) : (stdin ?? "");
}

export function normalizeOutput(
  bytes: Uint8Array,
  { root, home, alias }: { root: string; home: string; alias?: string },
): string {
  const text = exactText(bytes)
    .replaceAll(home, () => "<home>")
    .replaceAll(root, () => ROOT);
  return alias === undefined ? text : text.replaceAll(alias, () => ROOT);
}

/** If the text is not UTF-8, every byte that is not ASCII is written as its number. */
function exactText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  if (!text.includes("\ufffd")) return text;
  const reported = (byte: number) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`);
  return Array.from(bytes, reported).join("");
}

function splitCommand(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (quote === "" && letter === " ") {
      if (word !== null) words.push(word);
      word = null;
    } else if (quote === "" && (letter === "'" || letter === '"')) {
      quote = letter;
      word ??= "";
    } else if (letter === quote) quote = "";
    else if (letter === "\\" && quote !== "'") word = (word ?? "") + text[++at];
    else word = (word ?? "") + letter;
  }
  if (quote !== "") throw new Error(`an unclosed quote: ${text}`);
  if (word !== null) words.push(word);
  return words;
}
