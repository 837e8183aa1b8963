/**
 * Receives a push into a repository in the same file system. It does what `git receive-pack` does there, under that repository's
 * configuration: it stores the objects and checks connectivity, then updates each ref by itself, or all of them atomically. It runs
 * no hooks, because hooks are programs.
 */
import { GitError } from "../errors.ts";
import { type Oid, ZERO_OID } from "../object/oid.ts";
import { ingestPack } from "../odb/ingest-pack.ts";
import { isRefName } from "../refs/ref-name.ts";
import type { RefUpdate } from "../refs/ref-store.ts";
import { refuseReceiveHooks } from "../repository/hooks.ts";
import { reflogIdentity } from "../repository/identity.ts";
import { workTreeOn } from "../repository/work-trees.ts";
import type { Repository } from "../repository.ts";
import { isAncestor } from "../revision/merge-base.ts";
import { checkConnected } from "./check-connected.ts";
import type { PushCommand, PushReport, PushRequest, ReceiveConnection } from "./connection.ts";
import type { SidebandSink } from "./sideband.ts";

export async function connectLocalReceive(there: Repository): Promise<ReceiveConnection> {
  await refuseReceiveHooks(there);
  const refs = (await there.refs.list("refs/")).map(({ name, oid }) => ({ name, oid }));
  const push = async (request: PushRequest, sink: SidebandSink): Promise<PushReport> => {
    const say = (text: string) => sink.progress?.(text);
    const unpackError = await unpack(there, request);
    const results = new Map<string, string | null>();
    if (unpackError !== null) {
      for (const { name } of request.commands) results.set(name, "unpacker error");
      return { unpackError, results };
    }
    for (const command of request.commands) results.set(command.name, await objection(there, command, say));
    if (!request.atomic) {
      for (const command of request.commands)
        if (results.get(command.name) === null) results.set(command.name, await move(there, [command], say));
      return { unpackError, results };
    }
    const why = [...results.values()].some((reason) => reason !== null)
      ? "atomic push failure"
      : await move(there, request.commands, say);
    if (why !== null) for (const [name, reason] of results) results.set(name, reason ?? why);
    return { unpackError, results };
  };
  return {
    refs,
    canAtomic: true,
    canDelete: true,
    canPushOptions: false,
    supportsThinPack: true,
    supportsOfsDelta: true,
    isLocal: true,
    extraHaves: [],
    push,
  };
}

/** Null: success. */
async function unpack(there: Repository, { pack, commands }: PushRequest): Promise<string | null> {
  if (pack === null) return null;
  const { config, odb } = there;
  const limit = config.getInt("receive.unpacklimit") ?? config.getInt("transfer.unpacklimit");
  try {
    await ingestPack(odb, pack(), limit === undefined ? {} : { unpackLimit: limit });
    const tips = commands.filter(({ to }) => to !== ZERO_OID).map(({ to }) => to);
    await checkConnected(there, tips, false);
    return null;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return error.message;
  }
}

/** Why a ref may not be updated; null: it may. */
async function objection(
  there: Repository,
  { name, from, to }: PushCommand,
  say: (text: string) => void,
): Promise<string | null> {
  if (!name.startsWith("refs/") || !isRefName(name.slice(5))) {
    say(`error: refusing to create funny ref '${name}' remotely\n`);
    return "funny refname";
  }
  const { config } = there;
  const head = await there.refs.read("HEAD");
  const isRetained = (await workTreeOn(there, name)) !== null;
  const isCurrent = isRetained || (head?.kind === "symbolic" && head.target === name);
  if (isRetained) {
    const reported = config.get("receive.denycurrentbranch")?.toLowerCase();
    if (reported === "updateinstead") {
      say("error: receive.denyCurrentBranch=updateInstead is not supported here\n");
      return "branch is currently checked out";
    }
    if (reported === "warn") say("warning: updating the current branch\n");
    else if (reported === undefined || denies(reported)) {
      say(`error: refusing to update checked out branch: ${name}\n${reported === undefined ? CURRENT_BRANCH : ""}`);
      return "branch is currently checked out";
    }
  }
  if (to !== ZERO_OID && (await there.odb.missing([to])).length > 0) return "bad pack";
  if (to === ZERO_OID && (await there.refs.read(name)) === null) {
    say("warning: deleting a non-existent ref\n");
    return null;
  }
  if (from !== ZERO_OID && to === ZERO_OID) {
    if (config.getBool("receive.denydeletes")) {
      say(`error: denying ref deletion for ${name}\n`);
      return "deletion prohibited";
    }
    if (isCurrent) {
      const setting = config.get("receive.denydeletecurrent")?.toLowerCase();
      if (setting === "warn") say("warning: deleting the current branch\n");
      else if (setting === undefined || denies(setting)) {
        say(`${setting === undefined ? DELETE_CURRENT : ""}error: refusing to delete the current branch: ${name}\n`);
        return "deletion of the current branch prohibited";
      }
    }
  }
  if (config.getBool("receive.denynonfastforwards") && (await isForced(there, name, from, to))) {
    say(`error: denying non-fast-forward ${name} (you should pull first)\n`);
    return "non-fast-forward";
  }
  return null;
}

/** Whether the configured value denies: `refuse` and true do; `ignore`, `warn` and false do not. */
function denies(word: string): boolean {
  return word === "refuse" || /^(?:true|yes|on|1)$/.test(word);
}

async function isForced(there: Repository, name: string, from: Oid, to: Oid): Promise<boolean> {
  if (from === ZERO_OID || to === ZERO_OID || !name.startsWith("refs/heads/")) return false;
  return !(await isAncestor(there, from, to));
}

/** Updates all refs atomically. Null: success. */
async function move(
  there: Repository,
  commands: readonly PushCommand[],
  say: (text: string) => void,
): Promise<string | null> {
  const updates = commands.map(
    ({ name, from, to }): RefUpdate => ({
      name,
      to: to === ZERO_OID ? null : to,
      from: from === ZERO_OID ? null : from,
      message: "push",
    }),
  );
  try {
    await there.refs.update(updates, reflogIdentity(there));
    return null;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    say(`error: ${error.message}\n`);
    return commands.length > 1 ? "atomic transaction failed" : "failed to update ref";
  }
}

const CURRENT_BRANCH = `error: By default, updating the current branch in a non-bare repository
is denied, because it will make the index and work tree inconsistent
with what you pushed, and will require 'git reset --hard' to match
the work tree to HEAD.

You can set the 'receive.denyCurrentBranch' configuration variable
to 'ignore' or 'warn' in the remote repository to allow pushing into
its current branch; however, this is not recommended unless you
arranged to update its work tree to match what you pushed in some
other way.

To squelch this message and still keep the default behaviour, set
'receive.denyCurrentBranch' configuration variable to 'refuse'.
`;

const DELETE_CURRENT = `error: By default, deleting the current branch is denied, because the next
'git clone' won't result in any file checked out, causing confusion.

You can set 'receive.denyDeleteCurrent' configuration variable to
'warn' or 'ignore' in the remote repository to allow deleting the
current branch, with or without a warning message.

To squelch this message, you can set it to 'refuse'.
`;
