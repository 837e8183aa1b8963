/**
 * The author of a change, as the log records it. An actor that is already set is never replaced: the name that a client reports is
 * appended, `binding/reported`, so a tool can name itself but cannot impersonate another.
 */
import { RPC_LIMITS } from "@workspace/protocol";
import { FsError, type Identity } from "@workspace/vfs";

export function extendIdentity(base: Identity, reported: Identity): Identity {
  const word = checkWord("actor", reported.actor, RPC_LIMITS.actorLength);
  const callId = checkWord("callId", reported.callId, RPC_LIMITS.callIdLength) ?? base.callId;
  const actor = base.actor !== undefined && word !== undefined ? `${base.actor}/${word}` : (word ?? base.actor);
  checkWord("actor", actor, RPC_LIMITS.actorLength);
  return { ...(actor === undefined ? {} : { actor }), ...(callId === undefined ? {} : { callId }) };
}

function checkWord(name: string, word: string | undefined, limit: number): string | undefined {
  if (word === undefined) return undefined;
  const fits = typeof word === "string" && word.length > 0 && word.length <= limit && word.isWellFormed();
  if (fits && !/[\u0000-\u001f\u007f]/.test(word)) return word;
  throw new FsError("EINVAL", { syscall: "as", reason: `${name} must be 1 to ${limit} printable characters` });
}
