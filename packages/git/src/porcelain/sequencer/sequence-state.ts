/** `.git/sequencer`: the remaining commits, the starting point and the options; the files are git's own. */

import { type Oid, parseOid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { findCommit } from "../../revision/resolve-revision.ts";
import { decode, encode } from "../../text/bytes.ts";
import { labelCommit } from "./commit-label.ts";

export interface SequenceOptions {
  readonly noCommit?: boolean;
  readonly signoff?: boolean;
  readonly recordOrigin?: boolean;
  readonly allowFastForward?: boolean;
  readonly allowEmpty?: boolean;
  readonly allowEmptyMessage?: boolean;
  readonly keepRedundant?: boolean;
  readonly mainline?: number;
  readonly strategyOptions?: readonly string[];
  readonly cleanup?: string;
  /** Names a reverted commit as `--pretty=reference` does. */
  readonly reference?: boolean;
}

const KEYS = {
  noCommit: "no-commit",
  allowEmpty: "allow-empty",
  allowEmptyMessage: "allow-empty-message",
  keepRedundant: "keep-redundant-commits",
  signoff: "signoff",
  recordOrigin: "record-origin",
  allowFastForward: "allow-ff",
} as const;

export interface Sequence {
  readonly head: Oid | null;
  readonly action: "pick" | "revert";
  readonly todo: readonly Oid[];
  readonly options: SequenceOptions;
  /** The error in the list; "": none. */
  readonly broken: string;
  /** HEAD after the last step; a different HEAD was moved by another command. */
  readonly safety: Oid | null;
}

const folder = ({ gitDir }: Pick<Repository, "gitDir">) => `${gitDir}/sequencer`;

export async function beginSequence(repo: Repository, head: Oid | null, options: SequenceOptions): Promise<void> {
  const { fs } = repo;
  await fs.mkdir(folder(repo), { recursive: true });
  await fs.writeFile(`${folder(repo)}/head`, head === null ? "" : `${head}\n`);
  const lines = Object.entries(KEYS)
    .filter(([name]) => options[name as keyof typeof KEYS])
    .map(([, key]) => `\t${key} = true\n`);
  if (options.mainline !== undefined) lines.push(`\tmainline = ${options.mainline}\n`);
  if (options.cleanup !== undefined) lines.push(`\tdefault-msg-cleanup = ${options.cleanup}\n`);
  for (const word of options.strategyOptions ?? []) lines.push(`\tstrategy-option = ${word}\n`);
  if (lines.length > 0) await fs.writeFile(`${folder(repo)}/opts`, `[options]\n${lines.join("")}`);
  await updateAbortSafety(repo);
}

export async function updateAbortSafety(repo: Repository): Promise<void> {
  if (!(await repo.fs.exists(folder(repo)))) return;
  const head = (await repo.refs.resolve("HEAD"))?.oid;
  await repo.fs.writeFile(`${folder(repo)}/abort-safety`, head ? `${head}\n` : "");
}

export async function saveTodo(repo: Repository, action: "pick" | "revert", todo: readonly Oid[]): Promise<void> {
  let text = "";
  for (const oid of todo) {
    const { short, subject } = await labelCommit(repo, oid);
    text += `${action} ${short} ${subject}\n`;
  }
  await repo.fs.writeFile(`${folder(repo)}/todo`, encode(text));
}

export async function readSequence(repo: Repository): Promise<Sequence | null> {
  const files = ["head", "todo", "opts", "abort-safety"].map((name) => `${folder(repo)}/${name}`);
  const [head, todo, opts, safety] = (await repo.fs.readMany(files)).map((bytes) => (bytes ? decode(bytes) : null));
  if (typeof todo !== "string") return null;
  const oids: Oid[] = [];
  let action: Sequence["action"] = "pick";
  const faults: string[] = [];
  for (const [i, line] of todo.split("\n").entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, word = line, name] = /^\s*(pick|p|revert)(?:\s+(\S+)|)/.exec(line) ?? [];
    action = word === "revert" ? "revert" : "pick";
    const oid = name === undefined ? null : await findCommit(repo, name);
    if (oid !== null) oids.push(oid);
    else faults.push(name === undefined ? `missing arguments for ${word}` : `could not parse '${name}'`);
    if (oid === null) faults.push(`invalid line ${i + 1}: ${line}`);
  }
  if (faults.length > 0) faults.push("unusable instruction sheet: '.git/sequencer/todo'");
  else if (oids.length === 0) faults.push("no commits parsed.");
  return {
    head: parseOid((head ?? "").trim()),
    action,
    todo: oids,
    options: parseOptions(opts ?? ""),
    broken: faults.join("\nerror: "),
    safety: parseOid((safety ?? "").trim()),
  };
}

function parseOptions(text: string): SequenceOptions {
  const options: Record<string, unknown> = {};
  const strategy: string[] = [];
  for (const line of text.split("\n")) {
    const [, key, value] = /^\s*([a-z-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    const name = Object.entries(KEYS).find(([, one]) => one === key)?.[0];
    if (name !== undefined) options[name] = value === "true";
    else if (key === "mainline") options.mainline = Number(value);
    else if (key === "default-msg-cleanup") options.cleanup = value;
    else if (key === "strategy-option") strategy.push(value.replace(/^"(.*)"$/, (_, inner: string) => inner));
  }
  return { ...options, ...(strategy.length > 0 ? { strategyOptions: strategy } : {}) };
}

export async function endSequence(repo: Repository): Promise<void> {
  await repo.fs.rm(folder(repo), { recursive: true, force: true });
}
