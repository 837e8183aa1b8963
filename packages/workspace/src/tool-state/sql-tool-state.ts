/**
 * `workspace.toolState`: the state of the tools, in the object's own tables. Tools can write there only through this, so that an
 * agent can neither enable a tool again nor edit its audit log.
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
} from "@workspace/protocol";
import type { VolumeStore } from "@workspace/vfs";
import {
  countMessages,
  countSent,
  deleteProposal,
  deleteProposals,
  insertMessage,
  replaceProposal,
  saveAgentCount,
  saveDisabled,
  selectAgentCount,
  selectAudit,
  selectDisabled,
  selectProposals,
  takeMessages,
} from "./store/tool-rows.ts";
import { ToolStateBuffer } from "./tool-state-buffer.ts";

const AUDIT_PAGE = 1000;
const MINUTE_MS = 60_000;
const MAX_SNAPSHOTS = 100;

export class SqlToolState implements ToolState {
  readonly #volume: VolumeStore;
  readonly #pending: ToolStateBuffer;
  /** For stores other than the workspace: the workspace itself has its history. */
  readonly #snapshots = new Map<string, readonly FileSnapshot[]>();

  constructor(volume: VolumeStore) {
    this.#volume = volume;
    this.#pending = new ToolStateBuffer(volume);
  }

  get #db(): VolumeStore["db"] {
    return this.#volume.ensureOpen().db;
  }

  async disabledTools(): Promise<readonly string[]> {
    return selectDisabled(this.#db);
  }

  async saveDisabledTools(names: readonly string[]): Promise<void> {
    saveDisabled(this.#db, [...new Set(names)].sort());
  }

  /** Synchronous, as `recordRead` and `audit`: every call needs it, and an await costs more than the lookup. */
  seen(actor: string, path: string): ReadVersion | undefined {
    return this.#pending.seen(actor, path);
  }

  recordRead(actor: string, path: string, seen: ReadVersion | null): void {
    this.#pending.remember(actor, path, seen);
  }

  async proposals(actor: string): Promise<readonly Proposal[]> {
    return selectProposals(this.#db, actor);
  }

  async propose(actor: string, proposals: readonly Proposal[]): Promise<void> {
    const db = this.#db;
    db.transaction(() => {
      for (const proposal of proposals) replaceProposal(db, actor, proposal);
    });
  }

  async dropProposals(actor: string, paths?: readonly string[]): Promise<void> {
    const db = this.#db;
    if (paths === undefined) return deleteProposals(db, actor);
    db.transaction(() => {
      for (const path of paths) deleteProposal(db, actor, path);
    });
  }

  async keepSnapshots(callId: string, snapshots: readonly FileSnapshot[]): Promise<void> {
    this.#snapshots.set(callId, [...(this.#snapshots.get(callId) ?? []), ...snapshots]);
    for (const oldest of this.#snapshots.keys()) {
      if (this.#snapshots.size <= MAX_SNAPSHOTS) break;
      this.#snapshots.delete(oldest);
    }
  }

  async snapshots(callId: string): Promise<readonly FileSnapshot[] | undefined> {
    return this.#snapshots.get(callId);
  }

  audit(record: AuditRecord): void {
    this.#pending.audit(record);
  }

  async auditLog({ limit = 100, before = Number.MAX_SAFE_INTEGER } = {}): Promise<readonly AuditEntry[]> {
    this.#pending.flush();
    return selectAudit(this.#db, before, Math.min(Math.max(limit, 1), AUDIT_PAGE));
  }

  async reserveAgent(parent: string, limit: number): Promise<boolean> {
    const db = this.#db;
    return db.transaction(() => {
      const count = selectAgentCount(db, parent);
      if (count >= limit) return false;
      saveAgentCount(db, parent, count + 1);
      return true;
    });
  }

  async send(
    message: AgentMessage,
    { queue, perMinute, perSenderMinute }: SendLimits,
  ): Promise<"sent" | "queue" | "rate" | "sender-rate"> {
    const db = this.#db;
    const pair = JSON.stringify([message.from, message.to].sort());
    const sender = JSON.stringify([message.from]);
    return db.transaction(() => {
      if (countSent(db, pair, message.timeMs - MINUTE_MS) >= perMinute) return "rate";
      if (countSent(db, sender, message.timeMs - MINUTE_MS) >= perSenderMinute) return "sender-rate";
      if (countMessages(db, message.to) >= queue) return "queue";
      insertMessage(db, [pair, sender], message);
      return "sent";
    });
  }

  async inbox(agentId: string): Promise<readonly AgentMessage[]> {
    const db = this.#db;
    return db.transaction(() => takeMessages(db, agentId));
  }
}
