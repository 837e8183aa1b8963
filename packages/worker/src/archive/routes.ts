/** `archive`: a directory out as one file, and one file in as a directory. */
import { FsError } from "@cloudflare/workspace";
import { archiveAnswer, archiveQuery, archiveUploadQuery } from "../api/archive.ts";
import { type Endpoint, endpoint } from "../endpoint/endpoint.ts";
import { HttpError } from "../errors/http-error.ts";
import { locate, locateExisting, nameOf } from "../files/locate.ts";
import { checkedBody, declaredLength } from "../files/request-body.ts";
import { contentDisposition } from "../http/content-disposition.ts";
import { LIMITS } from "../limits.ts";
import { ROOT, workspacePath } from "../path/workspace-path.ts";
import { ArchiveBudget } from "./archive-budget.ts";
import { packEntries } from "./pack-entries.ts";
import { spool } from "./spool.ts";
import { readTar } from "./tar-read.ts";
import { writeTar } from "./tar-write.ts";
import { unpack } from "./unpack.ts";
import { readZip } from "./zip-read.ts";
import { writeZip } from "./zip-write.ts";

export const archiveEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/api/w/:name/archive",
    summary: "A directory as a tar or zip, streamed",
    access: "read",
    query: archiveQuery,
    answers: [
      {
        media: "application/x-tar",
        says: "the archive; application/gzip with gzip=1, application/zip with format=zip",
      },
    ],
    async run({ workspace: { fs }, name, query: { path, format = "tar", gzip } }) {
      const asked = workspacePath(path);
      const { path: root, stat } = await locateExisting(fs, asked);
      if (stat.type !== "dir") throw new FsError("ENOTDIR", { syscall: "scan", path: asked });
      if (format === "zip" && gzip === "1") throw new HttpError("EINVAL", "a zip is compressed already");
      const entries = packEntries(fs, root);
      const bytes = streamOf(format === "tar" ? writeTar(entries) : writeZip(entries));
      const file = `${root === ROOT ? name : nameOf(root)}.${format}${gzip === "1" ? ".gz" : ""}`;
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
  endpoint({
    method: "PUT",
    path: "/api/w/:name/archive",
    summary:
      "Unpacks a tar (also gzipped) or zip into a directory, whole or not at all; on a new name it makes the workspace",
    access: "write",
    query: archiveUploadQuery,
    body: "bytes",
    answers: [{ schema: archiveAnswer }],
    async run({ workspace: { fs }, request, query: { path, format = "tar" } }) {
      const asked = workspacePath(path);
      const declared = declaredLength(request.headers, asked);
      const at = await locate(fs, asked);
      if (at.stat !== null && at.stat.type !== "dir") throw new FsError("ENOTDIR", { syscall: "scan", path: asked });
      const body = checkedBody(request.body, { path: asked, declared });
      const budget = new ArchiveBudget(LIMITS);
      const tar = (bytes: AsyncIterable<Uint8Array>) => readTar(bytes, budget);
      if (format === "tar") return Response.json(await unpack(fs, at.path, whollyRead(tar, body), budget));
      await using zip = await spool(fs, body);
      return Response.json(await unpack(fs, at.path, readZip(zip, budget), budget));
    },
  }),
];

/** A tar may end before its body does: only a whole body counts. */
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

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
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
