/**
 * Applies the container's changes to the workspace: a scan there, then its differences batch by batch, each written in one
 * transaction and acknowledged afterwards. A cut in between loses nothing: unacknowledged entries are sent again, and recognized.
 */
import {
  CONTAINER_ONLY_REASON,
  type Message,
  type PullAck,
  type PullEntry,
  parseCount,
  parsePullEntries,
  type ScanAnswer,
  SYNC_LIMITS,
  scanOf,
  withContents,
} from "@workspace/protocol";
import type { DaemonConnection } from "../container/daemon-connection.ts";
import { contentSource } from "./content-source.ts";
import { askHeld, type BufferedReply, type PullContext, parseReply } from "./pull-context.ts";
import type { TakenContent } from "./pull-plan.ts";
import { pushPaths } from "./push.ts";
import { writeGroup } from "./write-group.ts";

export interface Pulled {
  /** Some process of the container is running. */
  busy: boolean;
  /** Something changed while it was read: another pull is needed. */
  moving: boolean;
}

export async function pull(context: PullContext): Promise<Pulled> {
  const { connection, policy, budget, report, view, state } = context;
  const { header } = await connection.ask("scan", {
    policy: policy.text,
    defaults: policy.defaults,
    activityOf: context.commands,
    maxEntries: budget.entries,
    maxBytes: budget.bytes,
  });
  const scan = parseReply(connection, () => scanOf(header));
  context.onScan(scan);
  for (const { path, reason } of scan.skipped) report.skip(view.absolute(path), reason);
  const only = scan.skipped.filter(({ reason }) => reason.startsWith(CONTAINER_ONLY_REASON));
  state.setOnly(connection.hello.instance, only.map(({ path }) => view.absolute(path)).sort());
  const again = new Map<string, boolean>(scan.behind.map((path) => [path, true]));
  let moving = false;
  if (scan.over !== undefined)
    report.skip(view.absolute(""), `over the budget, so nothing of it was taken: ${scan.over}`);
  else if (scan.entries > 0) moving = await takeAll(context, scan, again);
  if (again.size > 0) await pushPaths({ ...context, settled: new Map() }, again);
  return { busy: header.busy === true, moving };
}

async function takeAll(context: PullContext, scan: ScanAnswer, again: Map<string, boolean>): Promise<boolean> {
  const { budget } = context;
  const moved = new Map<string, string>();
  let from: number | null = 0;
  let coming: Promise<BufferedReply> | null = null;
  let confirmed: Promise<unknown> = Promise.resolve();
  let moving = false;
  let bytes = 0;
  const ask = (at: number) => askHeld(context, context.connection, "take", { scan: scan.scan, from: at });
  while (from !== null) {
    const first: number = from;
    const arrived: BufferedReply = await (coming ?? ask(first)).catch((error) => {
      // Requested on a connection that was cut since, while a large file continued over the next one.
      if (coming === null || !context.connection.isOpen) throw error;
      return ask(first);
    });
    const { message, letGo } = arrived;
    const { entries, next } = parseReply(context.connection, () => batchOf(message, first, scan.entries));
    // The next batch is transferred while this one is written; more would take too much memory.
    coming = next === null ? null : ask(next);
    bytes += entries.reduce((sum, entry) => sum + (entry.op === "put" ? entry.size : 0), 0);
    if (bytes > budget.bytes) throw context.connection.protocolError(new Error("it sends more than it said"));
    const settled = await writeBatch(context, scan, first, entries, message.body, moved, again, moving);
    if (settled.length < entries.length) moving = true;
    letGo();
    // A batch is acknowledged while the next is written. The next scan repeats a lost acknowledgement.
    await confirmed;
    confirmed = confirm(context.connection, scan, settled);
    confirmed.catch(() => {});
    from = next;
  }
  await confirmed;
  return moving;
}

async function confirm(connection: DaemonConnection, { scan }: ScanAnswer, settled: readonly PullAck[]): Promise<void> {
  for (let i = 0; i < settled.length; i += SYNC_LIMITS.batchEntries)
    await connection.ask("settle", { scan, settled: settled.slice(i, i + SYNC_LIMITS.batchEntries) });
}

function batchOf(
  { header, body }: Message,
  from: number,
  total: number,
): { entries: PullEntry[]; next: number | null } {
  const entries = parsePullEntries(header, body);
  const next = header.next === null ? null : parseCount(header, "next", total);
  if (entries.length === 0 || (next === null ? from + entries.length !== total : next !== from + entries.length))
    throw new Error("a batch that is not where it should be");
  return { entries, next };
}

async function writeBatch(
  context: PullContext,
  scan: ScanAnswer,
  first: number,
  entries: readonly PullEntry[],
  body: Uint8Array,
  moved: Map<string, string>,
  again: Map<string, boolean>,
  movedBefore: boolean,
): Promise<PullAck[]> {
  const settled: PullAck[] = [];
  let moving = movedBefore;
  let group: [number, PullEntry, TakenContent | undefined][] = [];
  const write = async () => {
    const writing = group;
    group = [];
    if (writing.length > 0) settled.push(...(await writeGroup(context, writing, moved, again)));
  };
  let index = first;
  for (const [taken, bytes] of withContents(entries, body)) {
    const at = index++;
    if (taken.moving) moving = true;
    // What could not be pulled may be a removed file under another name: nothing is removed until it is here.
    if (taken.moving || (moving && taken.op === "remove")) continue;
    if (!taken.large && taken.same === undefined) {
      group.push([at, taken, bytes]);
      continue;
    }
    // A content that has to be fetched is written alone, so that a failed fetch fails nothing else.
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
