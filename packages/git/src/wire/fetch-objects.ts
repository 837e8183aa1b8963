/** Fetches objects: negotiates, ingests the pack, and moves the shallow boundary. The caller updates refs. */
import { GitError } from "../errors.ts";
import { lockFile } from "../lock-file.ts";
import type { Oid } from "../object/oid.ts";
import type { PackObserver } from "../pack/pack-observer.ts";
import type { Repository } from "../repository.ts";
import { commitReader, readShallow } from "../revision/commit-node.ts";
import type { UploadConnection } from "./connection.ts";
import type { FetchRequest, ShallowUpdate } from "./fetch-request.ts";
import { Negotiation } from "./negotiation.ts";
import { RemoteMessagePrinter } from "./sideband.ts";
import { storePack } from "./store-pack.ts";

interface FetchObjectsOptions extends Pick<FetchRequest, "deepen" | "filter" | "includeTag"> {
  /** A fresh repository has nothing to offer. */
  readonly noHaves?: boolean;
  /** Also accept the remote's own shallow boundary. */
  readonly updateShallow?: boolean;
  /** Progress as git prints it; absent: the server is requested to send none. */
  readonly progress?: (text: string) => void;
  /** The server's messages, with or without progress. */
  readonly err: (text: string) => void;
  readonly watch?: PackObserver | undefined;
  /**
   * Checks the received objects in the repository's future state, before the boundary moves; if it throws, the boundary stays.
   * `cut`: the remote's boundary commits that must not become ours.
   */
  readonly checkConnectivity?: (repo: Repository, cut: readonly Oid[]) => Promise<void>;
}

export async function fetchObjects(
  repo: Repository,
  connection: UploadConnection,
  wants: readonly Oid[],
  options: FetchObjectsOptions,
): Promise<void> {
  const shallow = [...(await readShallow(repo))];
  const negotiation = new Negotiation(repo);
  if (!options.noHaves) for (const { oid, peeled } of await repo.refs.list()) await negotiation.add(peeled ?? oid);
  const text = new RemoteMessagePrinter(options.err);
  const { deepen, filter, includeTag } = options;
  const request: FetchRequest = {
    wants,
    shallow,
    thinPack: !options.noHaves,
    quiet: options.progress === undefined,
    ...(deepen === undefined ? {} : { deepen }),
    ...(filter === undefined ? {} : { filter }),
    ...(includeTag === undefined ? {} : { includeTag }),
  };
  const answer = await connection.fetch(request, negotiation, {
    progress: (part) => text.add(part),
    limit: repo.limits.sidebandText,
  });
  const ends = deepen === undefined ? await newEnds(repo, answer.boundary.shallow, shallow) : [];
  const limit = repo.config.getInt("fetch.unpacklimit") ?? repo.config.getInt("transfer.unpacklimit");
  const unpackLimit = options.noHaves || filter !== undefined ? 0 : limit;
  const { checksum } = await storePack(repo, answer.pack, {
    watch: options.watch,
    ...(options.progress ? { progress: options.progress } : {}),
    ...(unpackLimit === undefined ? {} : { unpackLimit }),
  });
  text.end();
  if (filter !== undefined && checksum !== null) {
    await repo.fs.writeFile(`${repo.commonDir ?? repo.gitDir}/objects/pack/pack-${checksum}.promisor`, "");
  }
  // The remote's own boundary does not apply to a complete repository, unless the repository is new or opts in. The remote may
  // report boundary commits of other refs as well.
  const unseen = new Set(await repo.odb.missing(ends));
  const came = ends.filter((oid) => !unseen.has(oid));
  const takes = options.noHaves || options.updateShallow;
  const reported = deepen === undefined ? { ...answer.boundary, shallow: takes ? came : [] } : answer.boundary;
  const boundary = await movedBoundary(repo, new Set(shallow), reported);
  await options.checkConnectivity?.(boundary === null ? repo : { ...repo, shallow: boundary }, takes ? [] : came);
  if (boundary !== null) await writeBoundary(repo, boundary);
}

/** Skips those that are already ours, and those with more history here: the remote's boundary is not ours then. */
async function newEnds(repo: Repository, theirs: readonly Oid[], ours: readonly Oid[]): Promise<Oid[]> {
  const reader = commitReader({ ...repo, shallow: new Set() });
  const others = theirs.filter((oid) => !ours.includes(oid));
  const ends = new Set(await repo.odb.missing(others));
  for (const oid of others)
    if (!ends.has(oid) && (await repo.odb.missing((await reader.read(oid)).parents)).length > 0) ends.add(oid);
  return [...ends];
}

/** Null: unchanged. */
async function movedBoundary(
  repo: Repository,
  boundary: Set<Oid>,
  { shallow, unshallow }: ShallowUpdate,
): Promise<Set<Oid> | null> {
  if (shallow.length === 0 && unshallow.length === 0) return null;
  for (const oid of unshallow) boundary.delete(oid);
  for (const oid of shallow) {
    if (!(await repo.odb.has(oid))) throw new GitError("ENETWORK", `error in object: shallow ${oid}`);
    boundary.add(oid);
  }
  return boundary;
}

async function writeBoundary(repo: Repository, boundary: ReadonlySet<Oid>): Promise<void> {
  const path = `${repo.commonDir ?? repo.gitDir}/shallow`;
  if (boundary.size === 0) return repo.fs.rm(path, { force: true });
  const lock = await lockFile(repo.host, path);
  await lock.commit(`${[...boundary].sort().join("\n")}\n`);
}
