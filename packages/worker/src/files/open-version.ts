/** A file's bytes of one known version: the stream is opened between two looks at it. (Calls on one stub arrive in order.) */
import { type FileSystem, FsError } from "@cloudflare/workspace";
import type { Span } from "../http/range.ts";
import type { Found } from "./locate.ts";

/** The bytes of exactly the version that `found` shows. */
export async function openVersion(
  fs: FileSystem,
  found: Found,
  span?: Span,
): Promise<ReadableStream<Uint8Array> | "changed"> {
  const [opened, now] = await Promise.allSettled([fs.readStream(found.path, span), fs.stat(found.path)]);
  if (opened.status === "fulfilled" && now.status === "fulfilled" && now.value.version === found.stat.version)
    return opened.value;
  if (opened.status === "fulfilled") await opened.value.cancel();
  const failures = [opened, now].filter((result) => result.status === "rejected").map((result) => result.reason);
  const serious = failures.find((error) => !(error instanceof FsError));
  if (serious !== undefined) throw serious;
  return "changed";
}
