/** `update-ref --stdin`: commands that queue updates, and commands that prepare, commit or abort the queue. */
import { GitError } from "../../../errors.ts";
import { type Oid, ZERO_OID } from "../../../object/oid.ts";
import { isRefName } from "../../../refs/ref-name.ts";
import type { PreparedUpdate, RefUpdate } from "../../../refs/ref-store.ts";
import { reflogIdentity } from "../../../repository/identity.ts";
import type { Repository } from "../../../repository.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import type { CommandContext } from "../../framework/command.ts";
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

export async function runTransaction(transaction: Transaction): Promise<number> {
  const { context, repo } = transaction;
  let updates: RefUpdate[] = [];
  let prepared: PreparedUpdate | null = null;
  let state: "open" | "started" | "prepared" | "closed" = "open";
  let noDeref = transaction.noDeref;
  const prepare = (command: string) => {
    const queued = updates;
    updates = [];
    return repo.refs.prepare(queued).catch((error) => {
      throw error instanceof GitError ? fatal(`${command}: ${error.message}`) : error;
    });
  };
  const runBatchCommand = async (command: string, fields: CommandFields) => {
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
        prepared = await prepare(command);
        state = "prepared";
        context.out("prepare: ok\n");
        break;
      case "commit": {
        const locked: PreparedUpdate = prepared ?? (await prepare(command));
        prepared = null;
        await locked.commit(reflogIdentity(repo));
        state = "closed";
        context.out("commit: ok\n");
        break;
      }
      case "abort":
        updates = [];
        await prepared?.abort();
        prepared = null;
        state = "closed";
        context.out("abort: ok\n");
        break;
      case "option": {
        const option = fields.rest();
        if (option !== "no-deref") throw fatal(`option unknown: ${option}`);
        noDeref = true;
        break;
      }
      default: {
        updates.push(await readUpdate(transaction, command, fields, noDeref));
        noDeref = transaction.noDeref;
      }
    }
  };
  try {
    for await (const { name, fields } of commandsIn(context.stdin, transaction.nul))
      await runBatchCommand(name, fields);
    // Updates queued without "start" are applied at the end; a started transaction needs an explicit commit.
    if (state === "open") await repo.refs.update(updates, reflogIdentity(repo));
  } finally {
    await (prepared as PreparedUpdate | null)?.abort();
  }
  return 0;
}

function readName(command: string, fields: CommandFields): string {
  const name = fields.first();
  if (name === "") throw fatal(`${command}: missing <ref>`);
  if (!isRefName(name, { oneLevel: true })) throw fatal(`invalid ref format: ${name}`);
  return name;
}

/** Null: zero, that is no object. Undefined: no value. An empty value is zero in a line, and no value with NUL separators. */
async function readValue(
  repo: Repository,
  command: string,
  what: "new" | "old",
  fields: CommandFields,
): Promise<Oid | null | undefined> {
  const text = await fields.next(command, what);
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
  if (command === "verify") {
    const from = (await readValue(repo, called, "old", fields)) ?? null;
    fields.end(called);
    // Writes the expected value: nothing changes, and no reflog entry is made.
    return { name, noDeref, from: from ?? ZERO_OID, to: from };
  }
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

function fatal(message: string): GitError {
  return new GitError("EINVAL", message);
}
