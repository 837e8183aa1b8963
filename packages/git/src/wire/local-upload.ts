/**
 * Fetch from a repository in the same file system: does what upload-pack would do, on the repository itself. The pack is written
 * and ingested as over a network, so that the same checks apply.
 */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import { writePack } from "../odb/write-pack.ts";
import type { Repository } from "../repository.ts";
import { listObjects } from "../revision/list-objects.ts";
import { peelTags, tagTarget } from "../revision/peel.ts";
import { reachableObjects } from "../revision/reachable-objects.ts";
import type { RemoteRef } from "./advertisement.ts";
import type { UploadConnection } from "./connection.ts";
import type { FetchRequest, FetchResponse } from "./fetch-request.ts";
import { cutHistory, ownBoundary } from "./local-shallow.ts";
import { FIRST_BATCH, MAX_BATCH, MAX_IN_VAIN, type Negotiation } from "./negotiation.ts";

export function connectLocalUpload(there: Repository, print?: (text: string) => void): UploadConnection {
  return {
    listRefs: ({ prefixes = [] } = {}) => localRefs(there, prefixes),
    fetch: (request, negotiation) => fetchLocally(there, request, negotiation, print),
  };
}

/** HEAD first, if it resolves, including to an unborn branch. */
async function localRefs(there: Repository, prefixes: readonly string[]): Promise<RemoteRef[]> {
  const wanted = (name: string) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
  const refs: RemoteRef[] = [];
  const head = await there.refs.read("HEAD");
  const resolved = await there.refs.resolve("HEAD");
  if (resolved !== null && wanted("HEAD")) {
    const target = head?.kind === "symbolic" ? { target: resolved.name } : {};
    refs.push({ name: "HEAD", oid: resolved.oid, ...target });
  }
  for (const { name, oid, target } of await there.refs.list("refs/")) {
    if (!wanted(name)) continue;
    const isTag = (await there.odb.header(oid))?.type === "tag";
    const peeled = isTag ? (await peelTags(there, oid))?.oid : undefined;
    refs.push({ name, oid, ...(peeled ? { peeled } : {}), ...(target ? { target } : {}) });
  }
  return refs;
}

async function fetchLocally(
  there: Repository,
  request: FetchRequest,
  negotiation: Negotiation,
  print?: (text: string) => void,
): Promise<FetchResponse> {
  const filter = there.config.getBool("uploadpack.allowfilter") ? request.filter : undefined;
  if (request.filter !== filter) print?.("warning: filtering not recognized by server, ignoring\n");
  for (const oid of request.wants) {
    if ((await there.odb.missing([oid])).length > 0)
      throw new GitError("ENETWORK", `remote error: upload-pack: not our ref ${oid}`);
  }
  const common = await commonCommits(there, negotiation);
  if (request.deepen === undefined && request.shallow.length === 0) {
    return {
      boundary: await ownBoundary(there, request),
      pack: createPack(there, request, () =>
        filtered(there, reachableObjects(there, request.wants, common), filter, request.wants),
      ),
    };
  }
  const { boundary, commits, edge } = await cutHistory(there, request, common);
  const pack = createPack(there, request, async function* () {
    for (const { oid } of commits) yield { oid };
    yield* besideCommits(there, request.wants);
    const trees = commits.map(({ tree }) => tree);
    yield* filtered(there, listObjects(there, { named: [], trees, excluded: edge }), filter, request.wants);
  });
  return { boundary, pack };
}

/** Requested tags and their targets, and other requested objects, if not commits: no history leads to them. */
async function* besideCommits(there: Repository, wants: readonly Oid[]): AsyncGenerator<{ readonly oid: Oid }> {
  for (let oid of wants) {
    let type = (await there.odb.header(oid))?.type;
    for (; type === "tag"; type = (await there.odb.header(oid))?.type) {
      yield { oid };
      oid = tagTarget((await there.odb.need(oid, "tag")).body);
    }
    if (type === "blob") yield { oid };
    else if (type === "tree") yield* listObjects(there, { named: [], trees: [oid], excluded: [] });
  }
}

/** `blob:none` and `blob:limit=<n>`; objects requested by id are always sent. */
async function* filtered<T extends { readonly oid: Oid; readonly type: string }>(
  { odb }: Repository,
  objects: AsyncIterable<T>,
  filter: string | undefined,
  wants: readonly Oid[],
): AsyncGenerator<T> {
  if (filter === undefined) return yield* objects;
  const [, digits, unit = ""] = /^blob:limit=(\d+)([kmg]?)$/i.exec(filter) ?? [];
  if (filter !== "blob:none" && digits === undefined)
    throw new GitError("EUNSUPPORTED", `the filter '${filter}' is not supported here; use blob:none or blob:limit=<n>`);
  const limit = filter === "blob:none" ? 0 : Number(digits) * 1024 ** ["", "k", "m", "g"].indexOf(unit.toLowerCase());
  const named = new Set(wants);
  for await (const object of objects) {
    const isBlob = object.type === "blob" && !named.has(object.oid);
    if (!isBlob || (limit > 0 && ((await odb.header(object.oid))?.size ?? 0) < limit)) yield object;
  }
}

/** Common commits, as far as offers determine them. */
async function commonCommits(there: Repository, negotiation: Negotiation): Promise<Oid[]> {
  const common: Oid[] = [];
  let inVain = 0;
  for (let batch = FIRST_BATCH; inVain < MAX_IN_VAIN; batch = Math.min(batch * 2, MAX_BATCH)) {
    const offers = await negotiation.next(batch);
    if (offers.length === 0) break;
    const missing = new Set(await there.odb.missing(offers));
    const known = offers.filter((oid) => !missing.has(oid));
    for (const oid of known) negotiation.common.add(oid);
    common.push(...known);
    inVain = known.length > 0 ? 0 : inVain + offers.length;
  }
  return common;
}

async function* createPack(
  there: Repository,
  { includeTag, wants }: FetchRequest,
  objects: () => AsyncIterable<{ readonly oid: Oid }>,
): AsyncGenerator<Uint8Array> {
  const oids = new Set<Oid>();
  for await (const { oid } of objects()) oids.add(oid);
  if (includeTag) {
    for (const { oid } of await there.refs.list("refs/tags/")) {
      const peeled = (await there.odb.header(oid))?.type === "tag" ? (await peelTags(there, oid))?.oid : undefined;
      if (peeled === undefined || !(oids.has(peeled) || wants.includes(peeled))) continue;
      // Includes the tags between it and the commit: no other ref may lead to them.
      for await (const tag of besideCommits(there, [oid])) oids.add(tag.oid);
    }
  }
  yield* writePack(there.odb, oids);
}
