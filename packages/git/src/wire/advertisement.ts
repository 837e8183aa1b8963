/** A server's refs in any protocol version: the response to `info/refs`, followed by `ls-refs` in protocol 2. */
import { GitError } from "../errors.ts";
import type { GitLimits } from "../limits.ts";
import { type Oid, parseOid } from "../object/oid.ts";
import { isRefName } from "../refs/ref-name.ts";
import { Capabilities } from "./capabilities.ts";
import { cutShort, type PacketReader, packetText, protocolError } from "./pkt-line.ts";

export interface RemoteRef {
  readonly name: string;
  /** Null: unborn; only for HEAD, and only on request. */
  readonly oid: Oid | null;
  /** The peeled object of an annotated tag. */
  readonly peeled?: Oid;
  /** The target of HEAD. */
  readonly target?: string;
}

export interface Advertisement {
  readonly version: 0 | 1 | 2;
  readonly capabilities: Capabilities;
  /** Protocol 2 sends refs only on request: null. */
  readonly refs: readonly RemoteRef[] | null;
  /** Boundary commits of a server that is itself shallow. */
  readonly shallow: readonly Oid[];
}

export async function readAdvertisement(
  reader: PacketReader,
  service: string,
  limits: GitLimits,
): Promise<Advertisement> {
  let line = await reader.line();
  if (line === `# service=${service}`) {
    const flush = await reader.next();
    if (flush?.kind !== "flush") throw protocolError("no flush after the service line");
    line = await reader.line();
  }
  if (line === "version 2") return { version: 2, capabilities: await readLines(reader), refs: null, shallow: [] };
  let version: 0 | 1 = 0;
  if (line === "version 1") {
    version = 1;
    line = await reader.line();
  }
  return readRefs(reader, line, version, limits);
}

async function readLines(reader: PacketReader): Promise<Capabilities> {
  const lines: string[] = [];
  for (let line = await reader.line(); line !== null; line = await reader.line()) {
    lines.push(line);
    if (lines.length > 1000) throw protocolError("too many capabilities");
  }
  return new Capabilities(lines);
}

async function readRefs(
  reader: PacketReader,
  first: string | null,
  version: 0 | 1,
  limits: GitLimits,
): Promise<Advertisement> {
  let capabilities = new Capabilities([]);
  const refs = new Map<string, { name: string; oid: Oid; peeled?: Oid; target?: string }>();
  const shallow: Oid[] = [];
  let isFirst = true;
  let lines = 0;
  for (let line = first; line !== null; line = await reader.line()) {
    if (++lines > 2 * limits.advertisedRefs || refs.size > limits.advertisedRefs)
      throw new GitError("ETOOBIG", `the remote has more than ${limits.advertisedRefs} refs`);
    if (line.startsWith("ERR ")) throw new GitError("ENETWORK", `remote error: ${line.slice(4)}`);
    if (line.startsWith("shallow ")) {
      const oid = parseOid(line.slice(8));
      if (oid === null) throw protocolError(`unexpected shallow line: ${line}`);
      shallow.push(oid);
      continue;
    }
    const nul = line.indexOf("\0");
    if (isFirst && nul >= 0) capabilities = new Capabilities(line.slice(nul + 1).split(" "));
    isFirst = false;
    const text = nul < 0 ? line : line.slice(0, nul);
    const oid = parseOid(text.slice(0, 40));
    const name = text.slice(41);
    if (oid === null || text[40] !== " " || name === "") throw protocolError(`unexpected '${text}'`);
    if (name === "capabilities^{}") continue;
    if (name.endsWith("^{}")) {
      const tag = refs.get(name.slice(0, -3));
      if (tag !== undefined) tag.peeled = oid;
    } else if (isTrusted(name)) refs.set(name, { name, oid });
  }
  for (const symref of capabilities.getAll("symref")) {
    const colon = symref.indexOf(":");
    const ref = refs.get(symref.slice(0, colon));
    const target = symref.slice(colon + 1);
    if (ref !== undefined && isTrusted(target)) ref.target = target;
  }
  return { version, capabilities, refs: [...refs.values()], shallow };
}

/** Parses the response to `ls-refs`. */
export async function readLsRefs(reader: PacketReader, limits: GitLimits): Promise<RemoteRef[]> {
  const refs: RemoteRef[] = [];
  let lines = 0;
  for (;;) {
    const packet = await reader.next();
    if (packet === null) throw cutShort();
    if (packet.kind !== "data") return refs;
    const line = packetText(packet.data);
    if (line.startsWith("ERR ")) throw new GitError("ENETWORK", `remote error: ${line.slice(4)}`);
    const [id = "", name = "", ...attributes] = line.split(" ");
    if (++lines > limits.advertisedRefs)
      throw new GitError("ETOOBIG", `the remote has more than ${limits.advertisedRefs} refs`);
    const oid = id === "unborn" ? null : parseOid(id);
    if ((oid === null && id !== "unborn") || name === "") throw protocolError(`unexpected '${line}'`);
    let peeled: Oid | undefined;
    let target: string | undefined;
    for (const attribute of attributes) {
      if (attribute.startsWith("peeled:")) peeled = parseOid(attribute.slice(7)) ?? undefined;
      if (attribute.startsWith("symref-target:")) target = attribute.slice(14);
    }
    if (!isTrusted(name)) continue;
    if (target !== undefined && !isTrusted(target)) target = undefined;
    refs.push({ name, oid, ...(peeled ? { peeled } : {}), ...(target ? { target } : {}) });
  }
}

/**
 * Whether a server's ref name may be used: HEAD, names below refs/, and ".have" for objects without a name. Any other (`config`,
 * `refs/../index`, one with control characters) is dropped here, before it could be written or shown.
 */
function isTrusted(name: string): boolean {
  return name === "HEAD" || name === ".have" || (name.startsWith("refs/") && isRefName(name));
}
