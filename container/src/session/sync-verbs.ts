/**
 * Handles the requests of sync. `scan`, `take`, `read`, `hash` and `acknowledge` send this tree's changes to the workspace; `stage`
 * and `apply` write the workspace's changes here.
 */
import { createHash } from "node:crypto";
import {
  optionalCount,
  parseCount,
  parseList,
  parsePath,
  parsePullAcks,
  parsePushEntries,
  parseText,
  SYNC_LIMITS,
} from "@workspace/protocol";
import type { Daemon } from "../daemon.ts";
import { daemonError } from "../exec/process-table.ts";
import { applyOffers } from "../tree/apply.ts";
import { type Scan, scanTree } from "../tree/scan.ts";
import { acknowledge, readBatch, readChunk, takeHash } from "../tree/take.ts";
import type { SessionVerb } from "./session-verb.ts";

export const syncVerbs: Readonly<Record<string, SessionVerb>> = {
  async scan({ daemon }, header) {
    const policy = policyOf(header);
    const maxEntries = parseCount(header, "maxEntries");
    const maxBytes = parseCount(header, "maxBytes");
    const busy = daemon.processes.isBusy;
    const before = requestedActivity(daemon, header);
    const { scan, answer } = await scanTree(daemon.tree, { policy, maxEntries, maxBytes, busy });
    daemon.scan = scan;
    const after = requestedActivity(daemon, header);
    return { header: { ...answer, busy, activity: { before, after } } };
  },

  take({ daemon }, header) {
    const { entries, body, next } = readBatch(daemon.tree, scanFor(daemon, header), parseCount(header, "from"));
    return { header: { entries, next }, body };
  },

  read({ daemon }, header) {
    const difference = scanFor(daemon, header).differences[parseCount(header, "index")];
    if (difference === undefined) throw daemonError("ENOENT", "no such entry in the scan");
    const length = parseCount(header, "length", SYNC_LIMITS.pieceBytes);
    const piece = readChunk(daemon.tree, difference, parseCount(header, "offset"), length);
    if (piece === null) throw daemonError("EBUSY", "it changed since the scan");
    return { header: {}, body: piece };
  },

  /** Hash of a large content, for a comparison before the content is read. */
  async hash({ daemon }, header) {
    const difference = scanFor(daemon, header).differences[parseCount(header, "index")];
    if (difference === undefined) throw daemonError("ENOENT", "no such entry in the scan");
    const hash = await takeHash(daemon.tree, difference);
    if (hash === null) throw daemonError("EBUSY", "it changed since the scan");
    return { header: { hash } };
  },

  settle({ daemon }, header) {
    acknowledge(daemon.tree, scanFor(daemon, header), parsePullAcks(header));
    return { header: {} };
  },

  stage({ daemon }, header, body) {
    const size = parseCount(header, "size");
    const offset = parseCount(header, "offset", size);
    if (offset + body.length > size) throw daemonError("EINVAL", "a piece behind the end");
    const have = daemon.staged.put(parseText(header, "key", SYNC_LIMITS.idLength), size, offset, body);
    return { header: { have } };
  },

  async apply({ daemon }, header, body) {
    daemon.tree.followPolicy(policyOf(header));
    const offers = parsePushEntries(header, body);
    const full = optionalCount(header, "full");
    if (full !== undefined) for (const { path } of offers) daemon.tree.named(full).add(path);
    return { header: { outcomes: await applyOffers(daemon.tree, daemon.staged, offers, body) } };
  },

  /**
   * Runs after a full push, of the tree or of everything `below` some directories: removes the paths that the push did not name,
   * because the workspace does not have them.
   */
  async prune({ daemon }, header) {
    const { tree, staged } = daemon;
    const named = tree.named(parseCount(header, "full"));
    const below =
      header.below === undefined ? null : new Set(parseList(header, "below", SYNC_LIMITS.batchEntries, parsePath));
    const isPushed = (path: string) => below === null || isBelow(path, below);
    const gone = [...tree.manifest.keys()]
      .filter((path) => !named.has(path) && isPushed(path))
      .sort((a, b) => (a < b ? 1 : -1));
    const offers = gone.map((path) => ({ path, type: "absent" as const }));
    await applyOffers(tree, staged, offers, new Uint8Array(0));
    return { header: { removed: gone.length } };
  },
};

/** Activity of the commands that the request names, in its order. */
function requestedActivity({ processes }: Daemon, header: Record<string, unknown>): (string | null)[] {
  if (header.activityOf === undefined) return [];
  const ids = parseList(header, "activityOf", SYNC_LIMITS.liveProcesses, (id) =>
    parseText({ id }, "id", SYNC_LIMITS.idLength),
  );
  return ids.map((id) => {
    const activity = processes.get(id)?.activity ?? null;
    return activity === null ? null : createHash("sha256").update(activity).digest("hex");
  });
}

/** An older workspace sends no `defaults`: then every rule applies to every path. */
function policyOf(header: Record<string, unknown>): { text: string; defaults: number } {
  return {
    text: parseText(header, "policy", SYNC_LIMITS.policyBytes),
    defaults: optionalCount(header, "defaults") ?? 0,
  };
}

function isBelow(path: string, directories: ReadonlySet<string>): boolean {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    if (directories.has(path.slice(0, at))) return true;
  return false;
}

function scanFor({ scan }: Daemon, header: Record<string, unknown>): Scan {
  if (scan === null || scan.number !== parseCount(header, "scan"))
    throw daemonError("ESTALE", "another scan has begun");
  return scan;
}
