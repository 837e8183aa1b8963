/**
 * Pending writes: queued by the tools in propose mode (and by sub-agents), shown with their diff, then applied or dropped as a
 * whole. Applying checks the base version of each, and changes nothing if one of them is stale.
 */

import type { ToolContext } from "../definition/tool-context.ts";
import { ToolError } from "../errors.ts";
import { callContext, type ToolsetContext } from "../files/call-context.ts";
import { dropApplied } from "../files/queue-proposals.ts";
import type { ToolFiles } from "../files/tool-files.ts";
import { cutText } from "../format/cut-text.ts";
import type { PathResolver } from "../paths/path-resolver.ts";
import type { Proposal } from "../state/tool-state.ts";
import { contentHash } from "../store/content-hash.ts";
import type { FileStat } from "../store/file-store.ts";
import { generateUnifiedPatch } from "../tools/edit/diff-string.ts";
import type { FileWrite } from "./file-write.ts";

export interface ProposedChange {
  path: string;
  /** Text; null for a deletion, and for content that is not UTF-8. */
  content: string | null;
  delete?: true;
  /** The permissions it sets; absent: those of the file, or of a new file. */
  mode?: number;
  diff: string;
  /** Identifies this change: another change of the same path has another. */
  revision: string;
}

export interface ApplyProposalsOptions {
  callId?: string;
  /**
   * The proposals of `list` that were approved: only these are applied, and none if one of them has changed since. Without it, the
   * model may replace a proposal after the review.
   */
  reviewed?: readonly Pick<ProposedChange, "path" | "revision">[];
}

export interface Proposals {
  list(): Promise<ProposedChange[]>;
  /** All or nothing; returns the call's id, for `undo`. */
  apply(options?: ApplyProposalsOptions): Promise<{ callId: string; paths: string[] }>;
  drop(paths?: readonly string[]): Promise<void>;
}

export function createProposals(frame: ToolsetContext): Proposals {
  const { host, actor } = frame;
  return {
    list: async () => {
      const context = await callContext(accepting(frame), "proposals");
      const changes: ProposedChange[] = [];
      for (const proposal of await host.state.proposals(actor)) {
        const before = await contentBefore(context, proposal.path);
        changes.push({
          ...describe(proposal, before, host.limits.diffBytes),
          revision: await revisionOf(proposal),
        });
      }
      return changes;
    },
    apply: async ({
      callId = `apply-${host.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}`,
      reviewed,
    } = {}) => {
      const queued = await host.state.proposals(actor);
      const proposals = reviewed === undefined ? queued : await requireUnchanged(queued, reviewed);
      await applyProposals(frame, proposals, callId);
      await dropApplied(host.state, actor, proposals);
      return { callId, paths: proposals.map(({ path }) => path) };
    },
    drop: (paths) => host.state.dropProposals(actor, paths),
  };
}

/** The Go family's `ApplyWrites`: writes each file, creates parents, performs deletions, all or nothing. */
export async function applyWrites(files: ToolFiles, paths: PathResolver, writes: readonly FileWrite[]): Promise<void> {
  const encoder = new TextEncoder();
  const bases = new Map<string, FileStat | null>();
  const puts = [];
  for (const write of writes) {
    const path = await paths.toWrite(write.path);
    const stat = await files.stat(path);
    bases.set(path, stat);
    if (write.delete && stat === null) continue;
    const bytes = write.delete ? null : encoder.encode(write.content);
    puts.push({ path, bytes, ...(stat === null ? {} : { mode: stat.mode }) });
  }
  if (puts.length > 0) await files.commit(puts, bases);
}

/** The host's approval: accepted writes are performed, within the rest of its policy. */
function accepting(frame: ToolsetContext): ToolsetContext {
  const { host } = frame;
  const { views } = host;
  return { ...frame, host: { ...host, mode: "direct", ...(views && { workspace: views.accepted }) } };
}

async function applyProposals(frame: ToolsetContext, proposals: readonly Proposal[], callId: string): Promise<void> {
  if (proposals.length === 0) return;
  const context = await callContext(accepting(frame), callId);
  const bases = new Map<string, FileStat | null>();
  const stale: string[] = [];
  for (const { path, base } of proposals) {
    await frame.paths.toWrite(path);
    const stat = await context.files.stat(path);
    const now = stat === null ? null : (await context.files.versionsOf(path, stat)).version;
    if (now !== base) stale.push(path);
    bases.set(path, stat);
  }
  if (stale.length > 0) {
    const message = `${stale.join(", ")} changed since the proposal was made; nothing was applied. Drop it, and propose it anew.`;
    throw new ToolError("STALE", message, { paths: stale });
  }
  const puts = proposals
    .filter(({ path, content }) => content !== null || bases.get(path) !== null)
    .map(({ path, content, mode = bases.get(path)?.mode }) => {
      return { path, bytes: content, ...(mode === undefined ? {} : { mode }) };
    });
  await context.files.commit(puts, bases);
}

const NO_FILE: readonly unknown[] = ["EISDIR", "ELOOP", "OUTSIDE_ROOT", "DENIED"];

/** Null: there is no file that the proposal could replace. By now the path may be a directory, or a link that leads out. */
async function contentBefore({ paths, files }: ToolContext, path: string): Promise<Uint8Array | null> {
  try {
    await paths.toRead(path);
    return await files.read(path);
  } catch (error) {
    if (NO_FILE.includes((error as { code?: unknown }).code)) return null;
    throw error;
  }
}

async function requireUnchanged(
  queued: readonly Proposal[],
  reviewed: NonNullable<ApplyProposalsOptions["reviewed"]>,
): Promise<Proposal[]> {
  const byPath = new Map(queued.map((proposal) => [proposal.path, proposal]));
  const approved: Proposal[] = [];
  const changed: string[] = [];
  for (const [path, revision] of new Map(reviewed.map((one) => [one.path, one.revision]))) {
    const proposal = byPath.get(path);
    if (proposal !== undefined && (await revisionOf(proposal)) === revision) approved.push(proposal);
    else changed.push(path);
  }
  if (changed.length === 0) return approved;
  const message = `The proposals of ${changed.join(", ")} changed since they were listed; nothing was applied. List them again.`;
  throw new ToolError("STALE", message, { paths: changed });
}

async function revisionOf({ path, content, base, mode }: Proposal): Promise<string> {
  const hash = content === null ? null : await contentHash(content);
  return contentHash(new TextEncoder().encode(JSON.stringify([path, hash, base, mode ?? null])));
}

function describe(
  { path, content, mode }: Proposal,
  before: Uint8Array | null,
  maxBytes: number,
): Omit<ProposedChange, "revision"> {
  const [old, text] = [decode(before), decode(content)];
  const known = (before === null || old !== null) && (content === null || text !== null);
  const diff = known ? cutText(generateUnifiedPatch(path, old ?? "", text ?? ""), maxBytes) : "Binary files differ";
  return {
    ...{ path, content: text, diff },
    ...(content === null ? { delete: true as const } : {}),
    ...(mode === undefined ? {} : { mode }),
  };
}

function decode(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
