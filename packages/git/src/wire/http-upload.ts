/** Fetching over smart HTTP: protocol 2 is asked for (`protocol.version`), and whatever the server answers in is spoken. */
import { concat } from "../bytes.ts";
import { GitError } from "../errors.ts";
import type { GitLimits } from "../limits.ts";
import { type Advertisement, readAdvertisement, readLsRefs } from "./advertisement.ts";
import type { UploadConnection } from "./connection.ts";
import { fetchV0 } from "./fetch-v0.ts";
import { AGENT, fetchV2, type Post } from "./fetch-v2.ts";
import type { HttpRemote } from "./http-remote.ts";
import { DELIM, FLUSH, PacketReader, pktLine } from "./pkt-line.ts";

const SERVICE = "git-upload-pack";

export async function connectUpload(
  remote: HttpRemote,
  wished: 0 | 1 | 2,
  limits: GitLimits,
  warn?: (text: string) => void,
): Promise<UploadConnection> {
  const advertisement = await discover(remote, SERVICE, wished, limits);
  const { version, capabilities } = advertisement;
  const post: Post = async (body) => remote.body(await remote.post(SERVICE, version, () => body as BodyInit));
  return {
    isOld: version !== 2,
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
      if (request.filter !== undefined && !filters) warn?.("filtering not recognized by server, ignoring");
      if (version === 2) return fetchV2(post, capabilities, request, negotiation, sink);
      return fetchV0(post, advertisement, request, negotiation, sink);
    },
  };
}

/** A server that only hands out files has no service to talk to. */
export async function discover(
  remote: HttpRemote,
  service: string,
  wished: 0 | 1 | 2,
  limits: GitLimits,
): Promise<Advertisement> {
  const response = await remote.discover(service, wished);
  if (!(response.headers.get("content-type") ?? "").startsWith(`application/x-${service}-advertisement`)) {
    await response.body?.cancel();
    throw new GitError("EUNSUPPORTED", "the server speaks only git's dumb HTTP protocol, which is not supported here");
  }
  return readAdvertisement(new PacketReader(remote.body(response)), service, limits);
}
