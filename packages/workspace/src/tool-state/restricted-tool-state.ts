/**
 * The tools' state in a restricted view: contents of files that the view hides are left out, the records of calls are those of its
 * actor, and which tools are disabled cannot be changed.
 */
import type { ToolState } from "@workspace/protocol";
import { requireUnrestricted, type WriteView } from "@workspace/vfs";
import type { SqlToolState } from "./sql-tool-state.ts";

const PAGE = 1000;

export function restrictToolState(state: SqlToolState, volume: WriteView, actor: string | undefined): ToolState {
  const isShown = ({ path }: { readonly path: string }) => volume.rules?.visibility(path) === "visible";
  /** A toolset names its own calls, whatever the actor of its workspace is called. */
  const named = new Set<string>();
  const isOwn = (name: string) =>
    named.has(name) || (actor !== undefined && (name === actor || name.startsWith(`${actor}/`)));
  return {
    disabledTools: () => state.disabledTools(),
    async saveDisabledTools() {
      requireUnrestricted(volume, "saveDisabledTools");
    },
    seen: (name, path) => (isShown({ path }) ? state.seen(name, path) : undefined),
    recordRead: (name, path, seen) => state.recordRead(name, path, seen),
    proposals: async (name) => (await state.proposals(name)).filter(isShown),
    propose: (name, proposals) => state.propose(name, proposals.filter(isShown)),
    dropProposals: (name, paths) => state.dropProposals(name, paths),
    keepSnapshots: (callId, snapshots) => state.keepSnapshots(callId, snapshots),
    snapshots: async (callId) => (await state.snapshots(callId))?.filter(isShown),
    audit(record) {
      named.add(record.actor);
      return state.audit(record);
    },
    async auditLog({ limit = 100, before } = {}) {
      const found = [];
      for (let from = before; found.length < limit; ) {
        const page = await state.auditLog({ limit: PAGE, ...(from === undefined ? {} : { before: from }) });
        found.push(...page.filter((entry) => isOwn(entry.actor)));
        if (page.length < PAGE) break;
        from = page.at(-1)?.id;
      }
      return found.slice(0, limit);
    },
    reserveAgent: (parent, limit) => state.reserveAgent(parent, limit),
    send: (message, limits) => state.send(message, limits),
    inbox: (agentId) => state.inbox(agentId),
  };
}
