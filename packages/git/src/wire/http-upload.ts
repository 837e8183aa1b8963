/** Fetch over smart HTTP: requests protocol 2 (`protocol.version`), and uses the version that the server responds with. */

import { GitError } from "../errors.ts";
import type { GitLimits } from "../limits.ts";
import { concat, decode } from "../text/bytes.ts";
import { type Advertisement, readAdvertisement, readLsRefs } from "./advertisement.ts";
import type { UploadConnection } from "./connection.ts";
import { fetchV0 } from "./fetch-v0.ts";
import { AGENT, fetchV2, type Post } from "./fetch-v2.ts";
import type { HttpRemote } from "./http-remote.ts";
import { DELIM, FLUSH, PacketReader, pktLine } from "./pkt-line.ts";

const SERVICE = "git-upload-pack";
const MAX_REF_LINE = 1024;

export async function connectUpload(
  remote: HttpRemote,
  wished: 0 | 1 | 2,
  limits: GitLimits,
  print?: (text: string) => void,
): Promise<UploadConnection> {
  const advertisement = await discover(remote, SERVICE, wished, limits);
  const { version, capabilities } = advertisement;
  const post: Post = async (body) => remote.body(await remote.post(SERVICE, version, () => body as BodyInit));
  return {
    protocolV0Only: version !== 2,
    listRefs: async ({ prefixes = [] } = {}) => {
      if (advertisement.refs !== null) return advertisement.refs;
      const format = capabilities.has("object-format") ? [pktLine("object-format=sha1")] : [];
      const body = concat([
        pktLine("command=ls-refs\n"),
        pktLine(AGENT),
        ...format,
        DELIM,
        pktLine("peel\n"),
        pktLine("symrefs\n"),
        ...(capabilities.hasFeature("ls-refs", "unborn") ? [pktLine("unborn\n")] : []),
        ...prefixes.map((prefix) => pktLine(`ref-prefix ${prefix}\n`)),
        FLUSH,
      ]);
      return readLsRefs(new PacketReader(await post(body)), limits);
    },
    fetch: (request, negotiation, sink) => {
      const filters = version === 2 ? capabilities.hasFeature("fetch", "filter") : capabilities.has("filter");
      if (request.filter !== undefined && !filters) print?.("warning: filtering not recognized by server, ignoring\n");
      if (version === 2) return fetchV2(post, capabilities, request, negotiation, sink);
      return fetchV0(post, advertisement, request, negotiation, sink);
    },
  };
}

/** A server of static files (dumb HTTP) has no service. */
export async function discover(
  remote: HttpRemote,
  service: string,
  wished: 0 | 1 | 2,
  limits: GitLimits,
): Promise<Advertisement> {
  const response = await remote.discover(service, wished);
  if (!(response.headers.get("content-type") ?? "").startsWith(`application/x-${service}-advertisement`)) {
    await refuseOther(remote, response);
  }
  return readAdvertisement(new PacketReader(remote.body(response)), service, limits);
}

/** A dumb HTTP server returns a list of refs; anything else, such as a login page, is not a repository. */
async function refuseOther(remote: HttpRemote, response: Response): Promise<never> {
  let start = "";
  for await (const piece of remote.body(response)) {
    start += decode(piece.subarray(0, MAX_REF_LINE));
    if (start.length >= MAX_REF_LINE) break;
  }
  if (start !== "" && !/^[0-9a-f]{40}\t/.test(start))
    throw new GitError("ENOTFOUND", `${remote.url}/info/refs not valid: is this a git repository?`);
  throw new GitError("EUNSUPPORTED", "the server speaks only git's dumb HTTP protocol, which is not supported here");
}
