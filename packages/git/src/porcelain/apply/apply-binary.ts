/** Applies a binary patch. The patch must name both contents in full, and the file must be the one it was made for. */
import type { FilePatch } from "@workspace/text";
import { hashObject } from "../../hash/hash-object.ts";
import { parseOid, ZERO_OID } from "../../object/oid.ts";
import { applyDelta } from "../../pack/delta.ts";
import type { Repository } from "../../repository.ts";
import { inflateExactly } from "../../zlib/inflate.ts";

/** A string result is the reason why it does not apply. */
export async function applyBinary(
  repo: Repository | null,
  patch: FilePatch,
  content: Uint8Array,
): Promise<Uint8Array | string> {
  const name = (patch.oldName ?? patch.newName) as string;
  const [oldOid, newOid] = [parseOid(patch.oldId ?? ""), parseOid(patch.newId ?? "")];
  if (!oldOid || !newOid) return `cannot apply binary patch to '${name}' without full index line`;
  if (patch.oldName !== null) {
    const oid = hashObject("blob", content);
    if (oid !== oldOid) {
      return `the patch applies to '${name}' (${oid}), which does not match the current contents.`;
    }
  } else if (content.length > 0) return `the patch applies to an empty '${name}' but it is not empty`;
  if (newOid === ZERO_OID) return new Uint8Array(0);
  const known = await repo?.odb.read(newOid);
  if (known) return known.body;
  if (patch.binary === null || patch.binary === "announced") {
    return `missing binary patch data for '${name}'`;
  }
  const { method, size, deflated } = patch.binary.forward;
  const bad = `binary patch does not apply to '${name}'`;
  try {
    const data = inflateExactly(deflated, 0, size);
    const result = method === "delta" ? applyDelta(content, data) : data;
    const oid = hashObject("blob", result);
    if (oid === newOid) return result;
    return `binary patch to '${name}' creates incorrect result (expecting ${newOid}, got ${oid})`;
  } catch {
    return bad;
  }
}
