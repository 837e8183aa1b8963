/** The content of an object to stdout, in pieces when it is large. */
import type { ObjectHeader } from "../../../object-database.ts";
import type { Oid } from "../../../oid.ts";
import type { Repository } from "../../../repository.ts";
import type { CommandIo } from "../../command.ts";

export async function putObject(
  io: Pick<CommandIo, "out">,
  { odb, limits }: Repository,
  oid: Oid,
  { type, size }: ObjectHeader,
): Promise<void> {
  if (type !== "blob" || size <= limits.wholeObject / 4) return io.out((await odb.need(oid, type)).body);
  for await (const piece of await odb.stream(oid)) io.out(piece);
}
