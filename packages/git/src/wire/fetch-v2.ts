/** `fetch` of protocol 2: stateless rounds of "have" lines until the server is ready, then sections up to the pack. */

import { GitError } from "../errors.ts";
import { type Oid, parseOid } from "../object/oid.ts";
import { concat } from "../text/bytes.ts";
import type { Capabilities } from "./capabilities.ts";
import { deepenLines, type FetchRequest, type FetchResponse, type ShallowUpdate } from "./fetch-request.ts";
import { FIRST_BATCH, MAX_BATCH, MAX_IN_VAIN, type Negotiation } from "./negotiation.ts";
import { cutShort, DELIM, FLUSH, PacketReader, packetText, pktLine, protocolError } from "./pkt-line.ts";
import { type SidebandSink, sideband } from "./sideband.ts";

export type Post = (body: Uint8Array) => Promise<AsyncIterable<Uint8Array>>;

export const AGENT = "agent=git/2.39.5";

export async function fetchV2(
  post: Post,
  capabilities: Capabilities,
  request: FetchRequest,
  negotiation: Negotiation,
  sink: SidebandSink,
): Promise<FetchResponse> {
  const fixed = requestLines(capabilities, request);
  const common: Oid[] = [];
  let batch = FIRST_BATCH;
  let inVain = 0;
  for (;;) {
    const offers = await negotiation.next(batch);
    const isLast = offers.length === 0 || inVain + offers.length > MAX_IN_VAIN;
    const haves = [...common, ...offers].map((oid) => pktLine(`have ${oid}\n`));
    const body = concat([...fixed, ...haves, ...(isLast ? [pktLine("done\n")] : []), FLUSH]);
    const reader = new PacketReader(await post(body));
    if (isLast) return readSections(reader, await sectionName(reader), sink);
    const { acknowledged, ready } = await readAcknowledgments(reader);
    if (ready) return readSections(reader, await sectionName(reader), sink);
    for (const oid of acknowledged) {
      if (!negotiation.common.has(oid)) common.push(oid);
      negotiation.common.add(oid);
    }
    inVain = acknowledged.length > 0 ? 0 : inVain + offers.length;
    batch = Math.min(batch * 2, MAX_BATCH);
    await reader.cancel();
  }
}

function requestLines(capabilities: Capabilities, request: FetchRequest): Uint8Array[] {
  const { wants, shallow, includeTag, thinPack, quiet, deepen } = request;
  const filter = capabilities.hasFeature("fetch", "filter") ? request.filter : undefined;
  if ((deepen !== undefined || shallow.length > 0) && !capabilities.hasFeature("fetch", "shallow"))
    throw new GitError("EUNSUPPORTED", "Server does not support shallow requests");
  const lines = [
    ...(thinPack ? ["thin-pack"] : []),
    ...(quiet ? ["no-progress"] : []),
    ...(includeTag ? ["include-tag"] : []),
    "ofs-delta",
    ...shallow.map((oid) => `shallow ${oid}`),
    ...deepenLines(request),
    ...(deepen?.relative ? ["deepen-relative"] : []),
    ...(filter === undefined ? [] : [`filter ${filter}`]),
    ...wants.map((oid) => `want ${oid}`),
  ];
  const format = capabilities.has("object-format") ? [pktLine("object-format=sha1")] : [];
  return [pktLine("command=fetch"), pktLine(AGENT), ...format, DELIM, ...lines.map((line) => pktLine(`${line}\n`))];
}

async function readAcknowledgments(reader: PacketReader): Promise<{ acknowledged: Oid[]; ready: boolean }> {
  const name = await sectionName(reader);
  if (name !== "acknowledgments") throw protocolError(`expected 'acknowledgments', received '${name}'`);
  const acknowledged: Oid[] = [];
  let ready = false;
  for (;;) {
    const packet = await reader.next();
    if (packet === null) throw cutShort();
    if (packet.kind !== "data") return { acknowledged, ready };
    const line = packetText(packet.data);
    if (line === "ready") ready = true;
    const oid = line.startsWith("ACK ") ? parseOid(line.slice(4)) : null;
    if (oid !== null) acknowledged.push(oid);
    else if (line !== "NAK" && line !== "ready") throw protocolError(`unexpected acknowledgment line: '${line}'`);
  }
}

async function sectionName(reader: PacketReader): Promise<string> {
  const line = await reader.line();
  if (line === null) throw cutShort();
  if (line.startsWith("ERR ")) throw new GitError("ENETWORK", `remote error: ${line.slice(4)}`);
  return line;
}

async function readSections(reader: PacketReader, first: string, sink: SidebandSink): Promise<FetchResponse> {
  let boundary: ShallowUpdate = { shallow: [], unshallow: [] };
  let name = first;
  while (name !== "packfile") {
    if (name === "shallow-info") boundary = await readShallowInfo(reader);
    else await skipSection(reader);
    name = await sectionName(reader);
  }
  return { boundary, pack: sideband(reader, sink) };
}

async function readShallowInfo(reader: PacketReader): Promise<ShallowUpdate> {
  const shallow: Oid[] = [];
  const unshallow: Oid[] = [];
  for (let line = await reader.line(); line !== null; line = await reader.line()) addBoundary(line, shallow, unshallow);
  return { shallow, unshallow };
}

export function addBoundary(line: string, shallow: Oid[], unshallow: Oid[]): void {
  const space = line.indexOf(" ");
  const oid = parseOid(line.slice(space + 1));
  const kind = line.slice(0, space);
  if (oid === null || (kind !== "shallow" && kind !== "unshallow"))
    throw protocolError(`expected shallow/unshallow, got ${line}`);
  (kind === "shallow" ? shallow : unshallow).push(oid);
}

async function skipSection(reader: PacketReader): Promise<void> {
  while ((await reader.line()) !== null);
}
