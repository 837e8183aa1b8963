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
import { type CommandFields, commandsIn } from "./command-fields.ts";

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
  for (const { name: command, fields } of commandsIn(decode(context.stdin), transaction.nul)) {
    if (state === "prepared" && command !== "commit" && command !== "abort") {
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
      case "option": {
        const option = fields.rest();
        if (option !== "no-deref") throw fatal(`option unknown: ${option}`);
        noDeref = true;
        break;
      }
      case "verify": {
        const name = readName(command, fields);
        const from = await readValue(repo, `verify ${name}`, "old", fields);
        fields.end(`verify ${name}`);
        checks.push({ name, from: from ?? null });
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

function readName(command: string, fields: CommandFields): string {
  const name = fields.first();
  if (name === "") throw fatal(`${command}: missing <ref>`);
  if (!isRefName(name, { oneLevel: true })) throw fatal(`invalid ref format: ${name}`);
  return name;
}

/** Null: zero, that is none. Undefined: nothing is said. An empty value is zero in a line, and nothing where NUL ends it. */
async function readValue(
  repo: Repository,
  command: string,
  what: "new" | "old",
  fields: CommandFields,
): Promise<Oid | null | undefined> {
  const text = fields.next(command, what);
  if (text === undefined || (text === "" && fields.nul)) return undefined;
  if (text === "") return null;
  const found = await findRevision(repo, text);
  if (!found) throw fatal(`${command}: invalid <${what}value>: ${text}`);
  return found.oid === ZERO_OID ? null : found.oid;
}

async function readUpdate(
  { context, repo, message, createReflog }: Transaction,
  command: string,
  fields: CommandFields,
  noDeref: boolean,
): Promise<RefUpdate> {
  const name = readName(command, fields);
  const called = `${command} ${name}`;
  const shared = { name, noDeref, message, createReflog };
  if (command === "delete") {
    const from = await readValue(repo, called, "old", fields);
    if (from === null) throw fatal(`${called}: zero <oldvalue>`);
    fields.end(called);
    return { ...shared, to: null, ...(from === undefined ? {} : { from }) };
  }
  const to = await readValue(repo, called, "new", fields);
  if (to === undefined && (!fields.nul || command === "create")) throw fatal(`${called}: missing <newvalue>`);
  if (to === undefined) context.err(`warning: ${called}: missing <newvalue>, treating as zero\n`);
  if (command === "create") {
    if (!to) throw fatal(`${called}: zero <newvalue>`);
    fields.end(called);
    return { ...shared, to, from: null };
  }
  const from = await readValue(repo, called, "old", fields);
  fields.end(called);
  return { ...shared, to: to ?? null, ...(from === undefined ? {} : { from }) };
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
