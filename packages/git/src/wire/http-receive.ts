/** Push over smart HTTP: commands, then the pack as it is generated, then the server's report on every ref. */

import { GitError } from "../errors.ts";
import type { GitLimits } from "../limits.ts";
import { type Oid, ZERO_OID } from "../object/oid.ts";
import { concat } from "../text/bytes.ts";
import { maskMessage } from "../text/control-characters.ts";
import type { PushReport, PushRequest, ReceiveConnection } from "./connection.ts";
import { AGENT } from "./fetch-v2.ts";
import type { HttpRemote } from "./http-remote.ts";
import { discover } from "./http-upload.ts";
import { cutShort, FLUSH, PacketReader, pktLine, protocolError } from "./pkt-line.ts";
import { type SidebandSink, sideband } from "./sideband.ts";

const SERVICE = "git-receive-pack";

export async function connectReceive(remote: HttpRemote, limits: GitLimits): Promise<ReceiveConnection> {
  // Protocol 2 has no push.
  const { capabilities, refs, version } = await discover(remote, SERVICE, 1, limits);
  const reported = refs ?? [];
  if (!capabilities.has("report-status")) throw new GitError("EUNSUPPORTED", "the server does not report what it did");
  return {
    refs: reported.filter(({ name }) => name !== ".have"),
    canAtomic: capabilities.has("atomic"),
    canDelete: capabilities.has("delete-refs"),
    canPushOptions: capabilities.has("push-options"),
    supportsThinPack: !capabilities.has("no-thin"),
    supportsOfsDelta: capabilities.has("ofs-delta"),
    isLocal: false,
    extraHaves: reported.flatMap(({ name, oid }) => (name === ".have" && oid !== null ? [oid as Oid] : [])),
    push: async (request, sink) => {
      const bands = capabilities.has("side-band-64k");
      const words = [
        "report-status",
        "side-band-64k",
        ...(request.quiet ? ["quiet"] : []),
        ...(request.atomic ? ["atomic"] : []),
      ];
      const options = request.options ?? [];
      const requested = [...words, ...(options.length > 0 ? ["push-options"] : [])].filter((word) =>
        capabilities.has(word),
      );
      if (capabilities.has("object-format")) requested.push("object-format=sha1");
      if (capabilities.has("agent")) requested.push(AGENT);
      const head = concat([
        ...request.commands.map(({ name, from, to }, at) =>
          pktLine(`${from} ${to} ${name}${at === 0 ? `\0 ${requested.join(" ")}` : ""}`),
        ),
        FLUSH,
        ...(options.length > 0 ? [...options.map((option) => pktLine(option)), FLUSH] : []),
      ]);
      const response = await remote.post(SERVICE, version, () => bodyFor(head, request, () => remote.sent()));
      return readReport(remote.body(response), bands, sink);
    },
  };
}

function bodyFor(head: Uint8Array, { pack, commands }: PushRequest, sent: () => void): BodyInit {
  if (pack === null || commands.every(({ to }) => to === ZERO_OID)) return head as BodyInit;
  const parts = (async function* () {
    yield head;
    yield* pack();
  })();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      sent();
      const { value, done } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await parts.return()),
  });
}

async function readReport(body: AsyncGenerator<Uint8Array>, bands: boolean, sink: SidebandSink): Promise<PushReport> {
  const outer = new PacketReader(body);
  const reader = bands ? new PacketReader(sideband(outer, sink)) : outer;
  const first = await reader.line();
  if (first === null) throw cutShort();
  if (!first.startsWith("unpack ")) throw protocolError(`unable to parse remote unpack status: ${first}`);
  const results = new Map<string, string | null>();
  for (let line = await reader.line(); line !== null; line = await reader.line()) {
    const [word, name = "", ...why] = line.split(" ");
    if (word === "ok") results.set(name, null);
    else if (word === "ng") results.set(name, maskMessage(why.join(" ")) || "failed");
    else if (word !== "option") throw protocolError(`invalid ref status from remote: ${line}`);
  }
  // The rest of the progress band is shown to the user.
  if (bands) while ((await reader.next()) !== null);
  const status = maskMessage(first.slice("unpack ".length));
  return { unpackError: status === "ok" ? null : status, results };
}
