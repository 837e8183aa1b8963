/** Verbs whose content may be a stream, or that call back to their client. Invalid input from the client changes nothing. */
import type { WorkspaceAnswer } from "@workspace/protocol";
import type { BulkEntry, CpOptions, WriteFileOptions } from "@workspace/vfs";
import { reject } from "./arguments.ts";
import { chunksOfBody } from "./body.ts";
import { readBulkEntries } from "./bulk-entries.ts";
import type { CallContext } from "./call-context.ts";

type Sent = string | Uint8Array | undefined;

export async function writeFile(
  session: CallContext,
  path: string,
  sent: Sent,
  options?: WriteFileOptions,
): Promise<WorkspaceAnswer> {
  return { value: await session.fs.writeFile(path, receivedContent(session, sent), options) };
}

export async function appendFile(
  session: CallContext,
  path: string,
  sent: Sent,
  options?: WriteFileOptions,
): Promise<WorkspaceAnswer> {
  return { value: await session.fs.appendFile(path, receivedContent(session, sent), options) };
}

export async function writeMany(
  session: CallContext,
  sent: BulkEntry[] | undefined,
  count = 0,
): Promise<WorkspaceAnswer> {
  const { fs, body } = session;
  if (sent === undefined && body === undefined) return reject("argument 1", "an array, or come as a body");
  return { value: await fs.writeMany(sent ?? (await readBulkEntries(body!, count))) };
}

/** The filter is the client's function: called once per entry; then everything is copied in one transaction. */
export async function cp(
  { fs, filter }: CallContext,
  from: string,
  to: string,
  options: CpOptions = {},
): Promise<WorkspaceAnswer> {
  if (filter === undefined) await fs.cp(from, to, options);
  else
    await fs.cp(from, to, {
      ...options,
      filter: async (source, destination) => Boolean(await filter(source, destination)),
    });
  return {};
}

function receivedContent({ body }: CallContext, sent: Sent): string | Uint8Array | AsyncIterable<Uint8Array> {
  if (sent !== undefined) return sent;
  return body === undefined ? reject("argument 2", "text or bytes, or come as a body") : chunksOfBody(body);
}
