/** `git-upload-pack` of protocol 0 and 1 over stateless HTTP: every round repeats everything agreed on so far. */

import { GitError } from "../errors.ts";
import { type Oid, parseOid } from "../object/oid.ts";
import { concat } from "../text/bytes.ts";
import type { Advertisement } from "./advertisement.ts";
import type { Capabilities } from "./capabilities.ts";
import { deepenLines, type FetchRequest, type FetchResponse, type ShallowUpdate } from "./fetch-request.ts";
import { AGENT, addBoundary, type Post } from "./fetch-v2.ts";
import { FIRST_BATCH, MAX_BATCH, MAX_IN_VAIN, type Negotiation } from "./negotiation.ts";
import { cutShort, FLUSH, PacketReader, packetText, pktLine, protocolError } from "./pkt-line.ts";
import { type SidebandSink, sideband } from "./sideband.ts";

export async function fetchV0(
  post: Post,
  { capabilities, shallow }: Pick<Advertisement, "capabilities" | "shallow">,
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
    const reader = new PacketReader(await post(concat([...fixed, ...haves, isLast ? pktLine("done\n") : FLUSH])));
    // The server sent its own shallow boundary with its refs.
    const boundary = request.deepen === undefined ? { shallow, unshallow: [] } : await readBoundary(reader);
    const { acknowledged, ready } = await readAcknowledgments(reader, isLast);
    if (isLast) return { boundary, pack: packStream(reader, capabilities, sink) };
    for (const oid of acknowledged) {
      if (!negotiation.common.has(oid)) common.push(oid);
      negotiation.common.add(oid);
    }
    await reader.cancel();
    if (ready) {
      const haves = common.map((oid) => pktLine(`have ${oid}\n`));
      const last = new PacketReader(await post(concat([...fixed, ...haves, pktLine("done\n")])));
      const end = request.deepen === undefined ? boundary : await readBoundary(last);
      await readAcknowledgments(last, true);
      return { boundary: end, pack: packStream(last, capabilities, sink) };
    }
    inVain = acknowledged.length > 0 ? 0 : inVain + offers.length;
    batch = Math.min(batch * 2, MAX_BATCH);
  }
}

function requestLines(capabilities: Capabilities, request: FetchRequest): Uint8Array[] {
  const { wants, shallow, deepen } = request;
  const filter = capabilities.has("filter") ? request.filter : undefined;
  if ((deepen !== undefined || shallow.length > 0) && !capabilities.has("shallow"))
    throw new GitError("EUNSUPPORTED", "Server does not support shallow clients");
  if (deepen?.since !== undefined && !capabilities.has("deepen-since"))
    throw new GitError("EUNSUPPORTED", "Server does not support --shallow-since");
  if (deepen?.not !== undefined && !capabilities.has("deepen-not"))
    throw new GitError("EUNSUPPORTED", "Server does not support --shallow-exclude");
  const words = [
    "multi_ack_detailed",
    "side-band-64k",
    ...(request.thinPack ? ["thin-pack"] : []),
    ...(request.quiet ? ["no-progress"] : []),
    ...(request.includeTag ? ["include-tag"] : []),
    "ofs-delta",
    ...(deepen?.relative ? ["deepen-relative"] : []),
    ...(filter === undefined ? [] : ["filter"]),
  ].filter((word) => capabilities.has(word));
  if (capabilities.has("agent")) words.push(AGENT);
  return [
    ...wants.map((oid, at) => pktLine(`want ${oid}${at === 0 ? ` ${words.join(" ")}` : ""}\n`)),
    ...shallow.map((oid) => pktLine(`shallow ${oid}\n`)),
    ...deepenLines(request).map((line) => pktLine(`${line}\n`)),
    ...(filter === undefined ? [] : [pktLine(`filter ${filter}\n`)]),
    FLUSH,
  ];
}

async function readBoundary(reader: PacketReader): Promise<ShallowUpdate> {
  const shallow: Oid[] = [];
  const unshallow: Oid[] = [];
  for (let line = await reader.line(); line !== null; line = await reader.line()) addBoundary(line, shallow, unshallow);
  return { shallow, unshallow };
}

/** ACK lines end with NAK or, after "done", with an ACK without a status word. */
async function readAcknowledgments(
  reader: PacketReader,
  afterDone: boolean,
): Promise<{ acknowledged: Oid[]; ready: boolean }> {
  const acknowledged: Oid[] = [];
  let ready = false;
  for (;;) {
    const packet = await reader.next();
    if (packet === null) {
      if (afterDone) throw cutShort();
      return { acknowledged, ready };
    }
    if (packet.kind !== "data") continue;
    const line = packetText(packet.data);
    if (line.startsWith("ERR ")) throw new GitError("ENETWORK", `remote error: ${line.slice(4)}`);
    if (line === "NAK") return { acknowledged, ready };
    const [word, id = "", status] = line.split(" ");
    const oid = word === "ACK" ? parseOid(id) : null;
    if (oid === null) throw protocolError(`expected ACK/NAK, got '${line}'`);
    acknowledged.push(oid);
    if (status === undefined) return { acknowledged, ready };
    ready ||= status === "ready";
  }
}

function packStream(reader: PacketReader, capabilities: Capabilities, sink: SidebandSink): AsyncIterable<Uint8Array> {
  if (!capabilities.has("side-band-64k")) throw new GitError("EUNSUPPORTED", "the server has no side-band-64k");
  return sideband(reader, sink);
}
