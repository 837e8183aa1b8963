/** `archive`: downloads a directory as one file, and unpacks one file into a directory. */
import { FsError } from "@cloudflare/workspace";
import { ArchiveBudget, readTar, readZip, writeTar, writeZip } from "@workspace/archive";
import { createWorkBudget } from "@workspace/protocol";
import { archiveQuery, archiveResponse, archiveUploadQuery } from "../../api/archive.ts";
import { HttpError } from "../../errors/http-error.ts";
import { contentDisposition } from "../../http/content-disposition.ts";
import { ROOT, workspacePath } from "../../http/workspace-path.ts";
import { LIMITS } from "../../limits.ts";
import { declaredLength, limitedBody } from "../files/request-body.ts";
import { basename, resolveExisting, resolvePath } from "../files/resolve-path.ts";
import { defineRoute, type Route } from "../route.ts";
import { packEntries } from "./pack-entries.ts";
import { spool } from "./spool.ts";
import { unpack } from "./unpack.ts";

export const archiveRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/w/:name/archive",
    summary: "A directory as a tar or zip, streamed",
    access: "read",
    kind: "archive",
    query: archiveQuery,
    answers: [
      {
        media: "application/x-tar",
        description: "the archive; application/gzip with gzip=1, application/zip with format=zip",
      },
    ],
    async run({ workspace: { fs }, name, query: { path, format = "tar", gzip } }) {
      const requested = workspacePath(path);
      const { path: root, stat } = await resolveExisting(fs, requested);
      if (stat.type !== "dir") throw new FsError("ENOTDIR", { syscall: "scan", path: requested });
      if (format === "zip" && gzip === "1") throw new HttpError("EINVAL", "a zip is compressed already");
      const entries = packEntries(fs, root);
      const bytes = toReadableStream(format === "tar" ? writeTar(entries) : writeZip(entries));
      const file = `${root === ROOT ? name : basename(root)}.${format}${gzip === "1" ? ".gz" : ""}`;
      const type = format === "zip" ? "application/zip" : gzip === "1" ? "application/gzip" : "application/x-tar";
      return new Response(gzip === "1" ? bytes.pipeThrough(new CompressionStream("gzip")) : bytes, {
        headers: {
          "Content-Type": type,
          "Content-Disposition": contentDisposition("attachment", file),
          "Content-Security-Policy": "sandbox; default-src 'none'",
        },
      });
    },
  }),
  defineRoute({
    method: "PUT",
    path: "/api/w/:name/archive",
    summary:
      "Unpacks a tar (also gzipped) or zip into a directory, whole or not at all; on a new name it makes the workspace",
    access: "write",
    kind: "unpack",
    query: archiveUploadQuery,
    body: "bytes",
    answers: [{ schema: archiveResponse }],
    async run({ workspace: { fs }, request, query: { path, format = "tar" } }) {
      const requested = workspacePath(path);
      const declared = declaredLength(request.headers, requested);
      const at = await resolvePath(fs, requested);
      if (at.stat !== null && at.stat.type !== "dir")
        throw new FsError("ENOTDIR", { syscall: "scan", path: requested });
      const body = limitedBody(request.body, { path: requested, declared });
      // The limits stop the work long before the work budget's own step count.
      const budget = new ArchiveBudget(LIMITS, createWorkBudget({ steps: Number.POSITIVE_INFINITY }));
      const tar = (bytes: AsyncIterable<Uint8Array>) => readTar(bytes, budget);
      if (format === "tar") return Response.json(await unpack(fs, at.path, whollyRead(tar, body), budget));
      await using zip = await spool(fs, body);
      return Response.json(await unpack(fs, at.path, readZip(zip, budget), budget));
    },
  }),
];

/** A tar may end before its body does: the upload counts only if the whole body was read. */
async function* whollyRead<T>(
  read: (body: AsyncIterable<Uint8Array>) => AsyncIterable<T>,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<T> {
  const iterator = body[Symbol.asyncIterator]();
  const shared = { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
  try {
    yield* read(shared);
    while (!(await iterator.next()).done);
  } finally {
    await iterator.return?.();
  }
}

function toReadableStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else if (value.length > 0) controller.enqueue(value);
        else await this.pull?.(controller);
      },
      cancel: async () => void (await chunks.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}
