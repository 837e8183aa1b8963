/**
 * Brings the workspace up to the container: a scan there, then its differences batch by batch, each written in one transaction and
 * confirmed afterwards. A cut in between loses nothing: what was not confirmed is told again, and is known when it comes again.
 */
import {
  countOf,
  type Message,
  type ScanAnswer,
  type Settled,
  SYNC_LIMITS,
  scanOf,
  type Taken,
  takenOf,
  textOf,
  withContents,
} from "@workspace/protocol";
import type { BulkEntry, FileSystem } from "@workspace/vfs";
import type { Connection } from "../container/connection.ts";
import { type Action, PullPlan, type TakenContent } from "./pull-plan.ts";
import { type PushContext, pushPaths } from "./push.ts";
import { TreeView } from "./tree-view.ts";

export interface PullContext extends PushContext {
  /** In whose name the changes are logged. */
  fs: FileSystem;
  root: string;
  /** After a cut. */
  reconnect(): Promise<Connection>;
}

export interface Pulled {
  /** Some process of the container lives. */
  busy: boolean;
  /** Something changed while it was read: another pull has more. */
  moving: boolean;
}

/** Somebody writes the same paths over and over: then the next pull has another try. */
const TRIES = 8;

export async function pull(context: PullContext): Promise<Pulled> {
  const { connection, policy, budget, report, view } = context;
  const { header } = await connection.ask("scan", {
    policy: policy.text,
    maxEntries: budget.entries,
    maxBytes: budget.bytes,
  });
  const scan = believe(connection, () => scanOf(header));
  for (const { path, reason } of scan.skipped) report.skip(view.absolute(path), reason);
  const again = new Map<string, boolean>(scan.behind.map((path) => [path, true]));
  let moving = false;
  if (scan.over !== undefined)
    report.skip(view.absolute(""), `over the budget, so nothing of it was taken: ${scan.over}`);
  else if (scan.entries > 0) moving = await takeAll(context, scan, again);
  if (again.size > 0) await pushPaths({ ...context, settled: new Map() }, again);
  return { busy: header.busy === true, moving };
}

async function takeAll(context: PullContext, scan: ScanAnswer, again: Map<string, boolean>): Promise<boolean> {
  const { budget, held } = context;
  const moved = new Map<string, string>();
  let from: number | null = 0;
  let coming: Promise<Held> | null = null;
  let confirmed: Promise<unknown> = Promise.resolve();
  let moving = false;
  let bytes = 0;
  const ask = (at: number): Promise<Held> => {
    const asked = context.connection.ask("take", { scan: scan.scan, from: at }).then((message) => {
      return { message, letGo: held.hold(message.body.length + (message.packedBytes ?? 0)) };
    });
    asked.catch(() => {});
    return asked;
  };
  while (from !== null) {
    const first: number = from;
    const arrived: Held = await (coming ?? ask(first)).catch((error) => {
      // Asked for on a connection that was cut since, while a large file went on over the next one.
      if (coming === null || !context.connection.isOpen) throw error;
      return ask(first);
    });
    const { message, letGo } = arrived;
    const { entries, next } = believe(context.connection, () => batchOf(message, first, scan.entries));
    // The next batch travels while this one is written; more would be more than an object should hold.
    coming = next === null ? null : ask(next);
    bytes += entries.reduce((sum, entry) => sum + (entry.op === "put" ? entry.size : 0), 0);
    if (bytes > budget.bytes) throw context.connection.accuse(new Error("it sends more than it said"));
    const settled = await writeBatch(context, scan, first, entries, message.body, moved, again, moving);
    if (settled.length < entries.length) moving = true;
    letGo();
    // What is written is confirmed while the next is; a word that is lost is said again with the next scan.
    await confirmed;
    confirmed = confirm(context.connection, scan, settled);
    confirmed.catch(() => {});
    from = next;
  }
  await confirmed;
  return moving;
}

interface Held {
  message: Message;
  letGo(): void;
}

async function confirm(connection: Connection, { scan }: ScanAnswer, settled: readonly Settled[]): Promise<void> {
  for (let i = 0; i < settled.length; i += SYNC_LIMITS.batchEntries)
    await connection.ask("settle", { scan, settled: settled.slice(i, i + SYNC_LIMITS.batchEntries) });
}

function batchOf({ header, body }: Message, from: number, total: number): { entries: Taken[]; next: number | null } {
  const entries = takenOf(header, body);
  const next = header.next === null ? null : countOf(header, "next", total);
  if (entries.length === 0 || (next === null ? from + entries.length !== total : next !== from + entries.length))
    throw new Error("a batch that is not where it should be");
  return { entries, next };
}

async function writeBatch(
  context: PullContext,
  scan: ScanAnswer,
  first: number,
  entries: readonly Taken[],
  body: Uint8Array,
  moved: Map<string, string>,
  again: Map<string, boolean>,
  movedBefore: boolean,
): Promise<Settled[]> {
  const settled: Settled[] = [];
  let moving = movedBefore;
  let group: [number, Taken, TakenContent | undefined][] = [];
  const write = async () => {
    const writing = group;
    group = [];
    if (writing.length > 0) settled.push(...(await writeGroup(context, writing, moved, again)));
  };
  let index = first;
  for (const [taken, bytes] of withContents(entries, body)) {
    const at = index++;
    if (taken.moving) moving = true;
    // What could not be taken may be what is gone under another name: until it is here, nothing is removed.
    if (taken.moving || (moving && taken.op === "remove")) continue;
    if (!taken.large && taken.same === undefined) {
      group.push([at, taken, bytes]);
      continue;
    }
    // One that has to be fetched stands alone, so that a failure to fetch it fails nothing else.
    await write();
    try {
      const content = await contentSource(context, scan, at, taken);
      settled.push(...(await writeGroup(context, [[at, taken, content]], moved, again)));
    } catch (error) {
      if ((error as { remote?: string }).remote !== "EBUSY") throw error;
      moving = true;
    }
  }
  await write();
  return settled;
}

/** Atomic: all of it or nothing. When the workspace changed between the decision and the commit, it is decided again. */
async function writeGroup(
  context: PullContext,
  group: readonly [number, Taken, TakenContent | undefined][],
  moved: Map<string, string>,
  again: Map<string, boolean>,
): Promise<Settled[]> {
  for (let tries = 1; ; tries++) {
    const view = new TreeView(context.fs, context.root);
    const attempt = new Map(moved);
    const plan = new PullPlan(view, context.connection.hello.instance, attempt);
    const actions: Action[] = [];
    for (const [, taken, content] of group) actions.push(await plan.decide(taken, content));
    const bulk: BulkEntry[] = actions.flatMap((action) => (action.kind === "write" ? action.entries : []));
    try {
      const { versions } = bulk.length === 0 ? { versions: [] } : await context.fs.writeMany(bulk);
      for (const [from, to] of attempt) moved.set(from, to);
      return await finish(context, view, group, actions, versions, again);
    } catch (error) {
      if (!isRace(error) || tries === TRIES) throw error;
    }
  }
}

/** The workspace is not what it was a moment ago. */
function isRace(error: unknown): boolean {
  return ["ESTALE", "EEXIST", "EISDIR", "ENOTDIR", "ENOENT"].includes((error as { code?: string }).code ?? "");
}

async function finish(
  context: PullContext,
  view: TreeView,
  group: readonly [number, Taken, TakenContent | undefined][],
  actions: readonly Action[],
  versions: readonly (string | null)[],
  again: Map<string, boolean>,
): Promise<Settled[]> {
  const { report, settled: known } = context;
  const settled: Settled[] = [];
  let at = 0;
  for (const [i, [index, taken]] of group.entries()) {
    const action = actions[i] as Action;
    const behind = () => {
      again.set(taken.path, true);
      settled.push({ index, version: null, behind: true });
    };
    if (action.kind === "stay") {
      report.skip(view.absolute(taken.path), action.reason);
      behind();
      continue;
    }
    report.pulled.entries++;
    if (action.kind === "adopt") {
      if (action.keptAt !== undefined) report.conflict(view.absolute(taken.path), view.absolute(action.keptAt));
      if (action.behind) behind();
      else settled.push({ index, version: action.stat?.version ?? null, content: action.stat?.contentVersion ?? null });
      continue;
    }
    if (action.kind === "attr") {
      const stat = await setAttributes(view, action);
      if (action.behind || stat === null) behind();
      else settled.push({ index, version: stat.version, content: stat.contentVersion });
      continue;
    }
    at += action.entries.length;
    const version = versions[at - 1] ?? null;
    if (taken.op === "put") report.pulled.bytes += taken.size;
    if (action.keptAt !== undefined) {
      report.conflict(view.absolute(taken.path), view.absolute(action.keptAt));
      behind();
      continue;
    }
    if (taken.op === "put" && taken.type !== "dir" && version !== null) {
      settled.push({
        index,
        version,
        content: action.isOneChange ? version : await contentOf(view, action.path, version),
      });
      if (known.size < MOST_KNOWN) known.set(action.path, version);
    } else settled.push({ index, version });
  }
  return settled;
}

async function contentOf(view: TreeView, path: string, version: string): Promise<string | null> {
  const stat = await view.lookup(path);
  return stat?.version === version ? stat.contentVersion : null;
}

const MOST_KNOWN = 20_000;

async function setAttributes(view: TreeView, { path, mode, mtime }: Extract<Action, { kind: "attr" }>) {
  const absolute = view.absolute(path);
  try {
    if (mode !== null) await view.fs.chmod(absolute, mode);
    if (mtime !== null) await view.fs.lutimes(absolute, mtime / 1e6, mtime / 1e6);
    return await view.lookup(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as { code?: string }).code ?? "")) return null;
    throw error;
  }
}

/** From a file that the workspace has, or piece by piece from the container. */
async function contentSource(
  context: PullContext,
  scan: ScanAnswer,
  index: number,
  taken: Taken,
): Promise<TakenContent> {
  const { view, connection } = context;
  const hash = async () => {
    const { header } = await connection.ask("hash", { scan: scan.scan, index });
    return believe(connection, () => textOf(header, "hash", 64));
  };
  if (taken.same !== undefined) {
    const { path, version } = taken.same;
    const stat = await view.lookup(path);
    if (stat?.type === "file" && stat.version === version && stat.size === taken.size)
      return { stream: () => streamOf(view.fs.readStream(view.absolute(path))), hash };
  }
  return { stream: () => pieces(context, scan, index, taken.size), hash };
}

async function* streamOf(stream: Promise<ReadableStream<Uint8Array>>): AsyncGenerator<Uint8Array> {
  yield* await stream;
}

/** A cut in the middle goes on where it was, with the same container and the same file: it still has what its scan saw. */
async function* pieces(context: PullContext, { scan }: ScanAnswer, index: number, size: number) {
  const { held } = context;
  const length = SYNC_LIMITS.pieceBytes;
  let { connection } = context;
  let asked: Promise<Held>[] = [];
  let next = 0;
  let at = 0;
  let cuts = 0;
  while (at < size) {
    while (asked.length < SYNC_LIMITS.piecesInFlight && next < size) {
      const asking = connection
        .ask("read", { scan, index, offset: next, length })
        .then((message) => ({ message, letGo: held.hold(message.body.length + (message.packedBytes ?? 0)) }));
      asking.catch(() => {});
      asked.push(asking);
      next += length;
    }
    try {
      const { message, letGo } = await (asked.shift() as Promise<Held>);
      const { body } = message;
      if (body.length !== Math.min(length, size - at)) throw connection.accuse(new Error("a piece of another length"));
      yield body;
      letGo();
      at += body.length;
    } catch (error) {
      if ((error as { code?: string }).code !== "EUNREACHABLE" || ++cuts > CUTS) throw error;
      const { instance } = connection.hello;
      connection = await context.reconnect();
      if (connection.hello.instance !== instance) throw error;
      context.connection = connection;
      asked = [];
      next = at;
    }
  }
}

/** Of one file. */
const CUTS = 5;

function believe<T>(connection: Connection, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw connection.accuse(cause);
  }
}
