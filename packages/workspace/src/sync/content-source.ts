/** The source of a content that does not come with its entry: a file of the workspace, or the container, in pieces. */
import { type PullEntry, parseText, type ScanAnswer, SYNC_LIMITS } from "@workspace/protocol";
import { askHeld, type BufferedReply, type PullContext, parseReply } from "./pull-context.ts";
import type { TakenContent } from "./pull-plan.ts";

export async function contentSource(
  context: PullContext,
  scan: ScanAnswer,
  index: number,
  taken: PullEntry,
): Promise<TakenContent> {
  const { view, connection } = context;
  const hash = async () => {
    const { header } = await connection.ask("hash", { scan: scan.scan, index });
    return parseReply(connection, () => parseText(header, "hash", 64));
  };
  if (taken.same !== undefined) {
    const { path, version } = taken.same;
    const stat = await view.lookup(path);
    if (stat?.type === "file" && stat.version === version && stat.size === taken.size)
      return { stream: () => flattenStream(view.fs.readStream(view.absolute(path))), hash };
  }
  return { stream: () => pieces(context, scan, index, taken.size), hash };
}

async function* flattenStream(stream: Promise<ReadableStream<Uint8Array>>): AsyncGenerator<Uint8Array> {
  yield* await stream;
}

/** After a cut it resumes at the same offset, with the same container and the same file: it still has what its scan saw. */
async function* pieces(context: PullContext, { scan }: ScanAnswer, index: number, size: number) {
  const length = SYNC_LIMITS.pieceBytes;
  let { connection } = context;
  let requested: Promise<BufferedReply>[] = [];
  let next = 0;
  let at = 0;
  let cuts = 0;
  while (at < size) {
    while (requested.length < SYNC_LIMITS.piecesInFlight && next < size) {
      requested.push(askHeld(context, connection, "read", { scan, index, offset: next, length }));
      next += length;
    }
    try {
      const { message, letGo } = await (requested.shift() as Promise<BufferedReply>);
      const { body } = message;
      if (body.length !== Math.min(length, size - at))
        throw connection.protocolError(new Error("a piece of another length"));
      yield body;
      letGo();
      at += body.length;
    } catch (error) {
      if ((error as { code?: string }).code !== "EUNREACHABLE" || ++cuts > CUTS) throw error;
      const { instance } = connection.hello;
      connection = await context.reconnect();
      if (connection.hello.instance !== instance) throw error;
      context.connection = connection;
      requested = [];
      next = at;
    }
  }
}

/** Per file. */
const CUTS = 5;
