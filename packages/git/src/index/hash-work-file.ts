/**
 * Hashes work tree files as they would be staged (line endings converted), and link targets; in few reads and bounded batches.
 * Optionally stores them, for `add`.
 */
import type { FileStat } from "@workspace/vfs";
import type { Conversion, ToGitOptions } from "../convert/conversion.ts";
import { hashObject, objectHeader } from "../hash/hash-object.ts";
import { createStreamingHash } from "../hash/streaming-hash.ts";
import { type Oid, oidFromBytes } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { encode } from "../text/bytes.ts";

export interface WorkFile {
  readonly path: string;
  /** Stat of the file itself, not of a link's target. */
  readonly stat: FileStat;
}

interface HashOptions extends ToGitOptions {
  /** Absent: no conversion. */
  conversion?: Conversion;
  /** Write them to the object database. */
  write?: boolean;
}

type WorkRepository = Repository & { readonly workTree: string };

const BATCH_FILES = 500;

/** In the given order; null: removed since it was scanned. */
export async function hashWorkFiles(
  repo: WorkRepository,
  files: readonly WorkFile[],
  options: HashOptions = {},
): Promise<(Oid | null)[]> {
  const oids: (Oid | null)[] = [];
  await options.conversion?.prepare(files.map(({ path }) => path));
  for (let start = 0; start < files.length; ) {
    const end = batchEnd(files, start, repo.limits.wholeObject);
    const first = files[start] as WorkFile;
    if (first.stat.size > repo.limits.wholeObject) oids.push(await hashLarge(repo, first, options.write ?? false));
    else oids.push(...(await hashBatch(repo, files.slice(start, end), options)));
    start = end;
  }
  return oids;
}

function batchEnd(files: readonly WorkFile[], start: number, max: number): number {
  let bytes = 0;
  let end = start;
  while (end < files.length && end - start < BATCH_FILES) {
    bytes += (files[end] as WorkFile).stat.size;
    if (end > start && bytes > max) break;
    end++;
  }
  return end;
}

async function hashBatch(
  repo: WorkRepository,
  files: readonly WorkFile[],
  options: HashOptions,
): Promise<(Oid | null)[]> {
  const contents = await readWorkFiles(repo, files);
  const { conversion } = options;
  const bodies: (Uint8Array | null)[] = [];
  for (const [i, content] of contents.entries()) {
    const { path, stat } = files[i] as WorkFile;
    const asIs = content === null || conversion === undefined || stat.type === "symlink";
    bodies.push(asIs ? content : await conversion.toGit(path, content, options));
  }
  if (!options.write) return bodies.map((body) => (body === null ? null : hashObject("blob", body)));
  const written = await repo.odb.writeMany(
    bodies.filter((body) => body !== null).map((body) => ({ type: "blob" as const, body })),
  );
  let next = 0;
  return bodies.map((body) => (body === null ? null : (written[next++] as Oid)));
}

/** Unconverted: a file's bytes, a link's target. */
export async function readWorkFiles(
  { fs, workTree }: Pick<WorkRepository, "fs" | "workTree">,
  files: readonly WorkFile[],
): Promise<(Uint8Array | null)[]> {
  const regular = files.filter(({ stat }) => stat.type === "file");
  const read = regular.length === 0 ? [] : await fs.readMany(regular.map(({ path }) => `${workTree}/${path}`));
  let next = 0;
  const contents: (Uint8Array | null)[] = [];
  for (const { path, stat } of files) {
    contents.push(stat.type === "file" ? (read[next++] ?? null) : await readTarget(fs, `${workTree}/${path}`));
  }
  return contents;
}

async function readTarget(fs: Repository["fs"], path: string): Promise<Uint8Array | null> {
  try {
    return encode(await fs.readlink(path));
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}

/** Never converted: as in git, a file over `core.bigFileThreshold` counts as binary. */
async function hashLarge(
  { fs, odb, workTree }: WorkRepository,
  { path, stat }: WorkFile,
  write: boolean,
): Promise<Oid> {
  const content = pieces(await fs.readStream(`${workTree}/${path}`));
  if (write) return odb.writeStream(stat.size, content);
  const hash = createStreamingHash();
  hash.update(objectHeader("blob", stat.size));
  for await (const piece of content) hash.update(piece);
  return oidFromBytes(hash.digest());
}

async function* pieces(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
