/** `update-ref --stdin`: commands that queue updates, and those that say what becomes of the queue. */
import { decode } from "../../../bytes.ts";
import { GitError } from "../../../errors.ts";
import { reflogIdentity } from "../../../identity.ts";
import { type Oid, ZERO_OID } from "../../../oid.ts";
import type { RefUpdate } from "../../../ref-store.ts";
import { isRefName } from "../../../refs/ref-name.ts";
import type { Repository } from "../../../repository.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import type { CommandContext } from "../../command.ts";

interface Transaction {
  readonly context: CommandContext;
  readonly repo: Repository;
  readonly message: string;
  readonly noDeref: boolean;
  readonly createReflog: boolean;
  /** Fields end with NUL, not with blanks and newlines. */
  readonly nul: boolean;
}

type Check = { readonly name: string; readonly from: Oid | null };

export async function runTransaction(transaction: Transaction): Promise<number> {
  const { context, repo } = transaction;
  const updates: RefUpdate[] = [];
  const checks: Check[] = [];
  let state: "open" | "started" | "prepared" | "closed" = "open";
  let noDeref = transaction.noDeref;
  const commit = async () => {
    await verify(repo, checks.splice(0));
    await repo.refs.update(updates.splice(0), reflogIdentity(repo));
  };
  for (const { name: command, fields, rest } of commandsOf(transaction)) {
    if (state === "prepared" && !["commit", "abort", "start"].includes(command)) {
      throw fatal(`prepared transactions can only be closed`);
    }
    if (state === "closed" && command !== "start") throw fatal("transaction is closed");
    switch (command) {
      case "start":
        if (state !== "open" && state !== "closed") throw fatal("cannot restart ongoing transaction");
        state = "started";
        context.out("start: ok\n");
        break;
      case "prepare":
        state = "prepared";
        context.out("prepare: ok\n");
        break;
      case "commit":
        await commit();
        state = "closed";
        context.out("commit: ok\n");
        break;
      case "abort":
        updates.length = 0;
        checks.length = 0;
        state = "closed";
        context.out("abort: ok\n");
        break;
      case "option":
        if (rest !== "no-deref") throw fatal(`option unknown: ${rest}`);
        noDeref = true;
        break;
      case "verify": {
        const { name, values } = await readFields(repo, command, fields);
        checks.push({ name, from: values[0] ?? null });
        noDeref = transaction.noDeref;
        break;
      }
      default: {
        updates.push(await readUpdate(transaction, command, fields, noDeref));
        noDeref = transaction.noDeref;
      }
    }
  }
  // What was queued without "start" is done at the end; what was started must be said to be done.
  if (state === "open") await commit();
  return 0;
}

interface Line {
  readonly name: string;
  readonly fields: readonly string[];
  readonly rest: string;
}

const FIELDS: Readonly<Record<string, number>> = { update: 3, create: 2, delete: 2, verify: 2 };
const WORDS = ["update", "create", "delete", "verify", "option", "start", "prepare", "abort", "commit"];

function* commandsOf({ context, nul }: Transaction): Iterable<Line> {
  const text = decode(context.stdin);
  if (!nul) {
    for (const line of text.split("\n").slice(0, text.endsWith("\n") ? -1 : undefined)) {
      if (line === "") throw fatal("empty command in input");
      if (/^\s/.test(line)) throw fatal(`whitespace before command: ${line}\n`);
      const name = /^[a-z]+/.exec(line)?.[0] ?? "";
      if (!WORDS.includes(name) || !/^( |$)/.test(line.slice(name.length))) throw fatal(`unknown command: ${line}\n`);
      const rest = line.slice(name.length + 1);
      yield { name, fields: words(rest), rest };
    }
    return;
  }
  const parts = text.split("\0");
  if (parts.at(-1) === "") parts.pop();
  for (let at = 0; at < parts.length; ) {
    const first = parts[at++] as string;
    const name = /^[a-z]+/.exec(first)?.[0] ?? "";
    if (!WORDS.includes(name)) throw fatal(`unknown command: ${first}`);
    const rest = first.slice(name.length + 1);
    const more = (FIELDS[name] ?? 1) - 1;
    yield { name, fields: [rest, ...parts.slice(at, at + more)], rest };
    at += more;
  }
}

/** Blanks divide; a field may be a C string in quotes. */
function words(text: string): string[] {
  return (text.match(/"(?:[^"\\]|\\.)*"|[^ ]+|(?<= ) (?=$)/g) ?? []).map((word) =>
    word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, (_, c: string) => ({ n: "\n", t: "\t" })[c] ?? c) : word,
  );
}

async function readFields(repo: Repository, command: string, fields: readonly string[]) {
  const [name] = fields;
  if (name === undefined || name === "") throw fatal(`${command}: missing <ref>`);
  if (!isRefName(name, { oneLevel: true })) throw fatal(`invalid ref format: ${name}`);
  const values: (Oid | null | undefined)[] = [];
  for (const [i, text] of fields.slice(1).entries()) {
    if (text === "") {
      values.push(undefined);
      continue;
    }
    const found = await findRevision(repo, text);
    const what = command === "update" || command === "create" ? (i === 0 ? "<newvalue>" : "<oldvalue>") : "<oldvalue>";
    if (!found) throw fatal(`${command} ${name}: invalid ${what}: ${text}`);
    values.push(found.oid === ZERO_OID ? null : found.oid);
  }
  return { name, values };
}

async function readUpdate(
  { repo, message, createReflog }: Transaction,
  command: string,
  fields: readonly string[],
  noDeref: boolean,
): Promise<RefUpdate> {
  const { name, values } = await readFields(repo, command, fields);
  const shared = { name, noDeref, message, createReflog };
  const most = command === "update" ? 2 : 1;
  if (values.length > most) throw fatal(`${command} ${name}: extra input:  ${fields.slice(most + 1).join(" ")}`);
  if (command === "delete") {
    const [from] = values;
    if (from === null) throw fatal(`delete ${name}: zero <oldvalue>`);
    return { ...shared, to: null, ...(from === undefined ? {} : { from }) };
  }
  if (values.length === 0) throw fatal(`${command} ${name}: missing <newvalue>`);
  if (command === "create") {
    const [to] = values;
    if (!to) throw fatal(`create ${name}: zero <newvalue>`);
    return { ...shared, to, from: null };
  }
  const [to = null, from] = values;
  return { ...shared, to, ...(from === undefined ? {} : { from }) };
}

async function verify({ refs }: Repository, checks: readonly Check[]): Promise<void> {
  for (const { name, from } of checks) {
    const now = (await refs.resolve(name))?.oid ?? null;
    if (now === from) continue;
    if (from === null) throw fatal(`cannot lock ref '${name}': reference already exists`);
    if (now === null) throw fatal(`cannot lock ref '${name}': unable to resolve reference '${name}'`);
    throw fatal(`cannot lock ref '${name}': is at ${now} but expected ${from}`);
  }
}

function fatal(message: string): GitError {
  return new GitError("EINVAL", message);
}
