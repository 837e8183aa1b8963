/**
 * In-memory tool state for tests, scripts and stores that are not a workspace: it lives as long as the object, with the real one's
 * limits.
 */
import type {
  AgentMessage,
  AuditEntry,
  AuditRecord,
  FileSnapshot,
  Proposal,
  ReadVersion,
  SendLimits,
  ToolState,
} from "./tool-state.ts";

const MAX_AUDIT = 10_000;
const MAX_SNAPSHOTS = 200;
const MAX_SEEN = 10_000;
const MINUTE_MS = 60_000;

export class MemoryToolState implements ToolState {
  #disabled: readonly string[] = [];
  readonly #seen = new Map<string, ReadVersion>();
  readonly #proposals = new Map<string, Map<string, Proposal>>();
  readonly #snapshots = new Map<string, readonly FileSnapshot[]>();
  #audit: AuditEntry[] = [];
  #nextAudit = 1;
  readonly #agents = new Map<string, number>();
  readonly #queues = new Map<string, AgentMessage[]>();
  readonly #sent = new Map<string, number[]>();

  async disabledTools(): Promise<readonly string[]> {
    return this.#disabled;
  }

  async saveDisabledTools(names: readonly string[]): Promise<void> {
    this.#disabled = [...new Set(names)].sort();
  }

  async seen(actor: string, path: string): Promise<ReadVersion | undefined> {
    return this.#seen.get(key(actor, path));
  }

  async recordRead(actor: string, path: string, seen: ReadVersion | null): Promise<void> {
    const name = key(actor, path);
    this.#seen.delete(name);
    if (seen !== null) this.#seen.set(name, seen);
    dropOldest(this.#seen, MAX_SEEN);
  }

  async proposals(actor: string): Promise<readonly Proposal[]> {
    return [...(this.#proposals.get(actor)?.values() ?? [])].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async propose(actor: string, proposals: readonly Proposal[]): Promise<void> {
    const queued = this.#proposals.get(actor) ?? new Map<string, Proposal>();
    this.#proposals.set(actor, queued);
    for (const proposal of proposals) queued.set(proposal.path, proposal);
  }

  async dropProposals(actor: string, paths?: readonly string[]): Promise<void> {
    if (paths === undefined) this.#proposals.delete(actor);
    else for (const path of paths) this.#proposals.get(actor)?.delete(path);
  }

  async keepSnapshots(callId: string, snapshots: readonly FileSnapshot[]): Promise<void> {
    this.#snapshots.set(callId, [...(this.#snapshots.get(callId) ?? []), ...snapshots]);
    dropOldest(this.#snapshots, MAX_SNAPSHOTS);
  }

  async snapshots(callId: string): Promise<readonly FileSnapshot[] | undefined> {
    return this.#snapshots.get(callId);
  }

  async audit(record: AuditRecord): Promise<void> {
    this.#audit.push({ ...record, id: this.#nextAudit++ });
    if (this.#audit.length > MAX_AUDIT) this.#audit = this.#audit.slice(-MAX_AUDIT);
  }

  async auditLog({ limit = 100, before = Number.POSITIVE_INFINITY } = {}): Promise<readonly AuditEntry[]> {
    return this.#audit
      .filter(({ id }) => id < before)
      .slice(-limit)
      .reverse();
  }

  async reserveAgent(parent: string, limit: number): Promise<boolean> {
    const count = this.#agents.get(parent) ?? 0;
    if (count >= limit) return false;
    this.#agents.set(parent, count + 1);
    return true;
  }

  async send(
    message: AgentMessage,
    { queue, perMinute, perSenderMinute }: SendLimits,
  ): Promise<"sent" | "queue" | "rate" | "sender-rate"> {
    const pair = key(...([message.from, message.to].sort() as [string, string]));
    const sender = JSON.stringify([message.from]);
    const recent = this.#sentSince(pair, message.timeMs - MINUTE_MS);
    if (recent.length >= perMinute) return "rate";
    const fromSender = this.#sentSince(sender, message.timeMs - MINUTE_MS);
    if (fromSender.length >= perSenderMinute) return "sender-rate";
    const waiting = this.#queues.get(message.to) ?? [];
    if (waiting.length >= queue) return "queue";
    this.#sent.set(pair, [...recent, message.timeMs]);
    this.#sent.set(sender, [...fromSender, message.timeMs]);
    this.#queues.set(message.to, [...waiting, message]);
    return "sent";
  }

  #sentSince(name: string, since: number): number[] {
    return (this.#sent.get(name) ?? []).filter((time) => time > since);
  }

  async inbox(agentId: string): Promise<readonly AgentMessage[]> {
    const messages = this.#queues.get(agentId) ?? [];
    this.#queues.delete(agentId);
    return messages;
  }
}

function key(first: string, second: string): string {
  return JSON.stringify([first, second]);
}

function dropOldest(map: Map<string, unknown>, limit: number): void {
  for (const name of map.keys()) {
    if (map.size <= limit) return;
    map.delete(name);
  }
}
