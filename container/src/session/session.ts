/**
 * One WebSocket session: a hello with the secret, then requests. A repeated request runs once. A failed request gets an error code,
 * and a malformed message closes the session. Processes continue after it closes.
 */
import {
  BandwidthEstimator,
  decodeMessage,
  encodeMessage,
  joinBody,
  optionalCount,
  PACKING_PROTOCOL,
  packedLength,
  parseCount,
  parseText,
  SYNC_LIMITS,
  type WireFault,
} from "@workspace/protocol";
import type { WebSocket } from "ws";
import type { Daemon } from "../daemon.ts";
import { execVerbs } from "./exec-verbs.ts";
import { packBody, unpackBody } from "./packed-body.ts";
import { ProcessSubscriptions } from "./process-subscriptions.ts";
import type { SessionVerb, VerbContext, VerbResult } from "./session-verb.ts";
import { syncVerbs } from "./sync-verbs.ts";

const HELLO_MS = 10_000;
const UNAUTHORIZED = 4401;
const MALFORMED = 4400;
/** Number of requests remembered, to recognize repeated ones. */
const REMEMBERED = 10_000;

const verbs: Readonly<Record<string, SessionVerb>> = { ...syncVerbs, ...execVerbs };

export function startSession(daemon: Daemon, socket: WebSocket): void {
  const seen = new Set<number>();
  const gauge = new BandwidthEstimator();
  let authenticated = false;
  /** Both sides support compressed bodies. */
  let packs = false;
  const send = (header: object, body?: Uint8Array | readonly Uint8Array[]) => {
    if (socket.readyState === socket.OPEN) socket.send(encodeMessage(header, body));
  };
  const context: VerbContext = { daemon, readers: new ProcessSubscriptions(daemon.processes, send) };
  const helloTimer = setTimeout(() => socket.close(UNAUTHORIZED, "no hello"), HELLO_MS);

  const hello = (header: Record<string, unknown>, id: number): void => {
    const known =
      header.verb === "hello" && daemon.secret.claimOrVerify(parseText(header, "secret", SYNC_LIMITS.secretLength));
    if (!known) return socket.close(UNAUTHORIZED, "401");
    clearTimeout(helloTimer);
    authenticated = true;
    daemon.activeSession = context;
    const { instance, options, previousTreePath } = daemon;
    const protocol = Math.min(SYNC_LIMITS.protocol, Math.max(1, optionalCount(header, "protocol") ?? 1));
    packs = protocol >= PACKING_PROTOCOL;
    const answer = { protocol, instance, root: options.root, isolated: options.owner !== null };
    send({ re: id, ...answer, ...(previousTreePath === undefined ? {} : { moved: previousTreePath }) });
  };

  const inTurn = (work: () => VerbResult | Promise<VerbResult>): Promise<VerbResult> => {
    const done = daemon.syncQueue.then(() => {
      if (daemon.activeSession !== context)
        throw Object.assign(new Error("ESTALE: another session has begun"), { code: "ESTALE" });
      return work();
    });
    daemon.syncQueue = done.catch(() => {});
    return done;
  };

  /** Compressed on a slow link; a large body also measures the link's rate. */
  const sendAnswer = async (header: object, id: number, body?: Uint8Array | readonly Uint8Array[]) => {
    if (body === undefined || !packs) return send(header, body);
    const length = body instanceof Uint8Array ? body.length : body.reduce((sum, part) => sum + part.length, 0);
    const packed = gauge.shouldCompress(length, performance.now(), true) ? await packBody(joinBody(body)) : null;
    const marked = gauge.begin(id, packed?.length ?? length, performance.now());
    const flags = { ...(packed === null ? {} : { packed: length }), ...(marked ? { gauge: true } : {}) };
    send({ ...header, ...flags }, packed ?? body);
  };

  const answer = async (id: number, name: string, header: Record<string, unknown>, body: Uint8Array) => {
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    try {
      if (verb === undefined) throw Object.assign(new Error(`ENOSYS: no verb "${name}"`), { code: "ENOSYS" });
      const done: VerbResult = await (Object.hasOwn(syncVerbs, name)
        ? inTurn(() => verb(context, header, body))
        : verb(context, header, body));
      await sendAnswer({ ...done.header, re: id }, id, done.body);
    } catch (error) {
      send({ re: id, fault: faultOf(error) });
    }
  };

  socket.on("message", (data: Buffer, isBinary: boolean) => {
    try {
      if (!isBinary) throw new Error("text");
      const { header, body: came } = decodeMessage(data);
      const id = header.id;
      if (!Number.isSafeInteger(id)) throw new Error("no id");
      if (!authenticated) return hello(header, id as number);
      if (header.verb === "got") return gauge.end(parseCount(header, "of"), performance.now());
      if (header.gauge === true && packs) send({ got: id });
      const length = packedLength(header, came);
      if (length !== null && !packs) throw new Error("packed, which was not agreed on");
      const body = length === null ? came : unpackBody(came, length);
      if (seen.has(id as number)) return;
      seen.add(id as number);
      if (seen.size > REMEMBERED) seen.delete(seen.values().next().value as number);
      void answer(id as number, parseText(header, "verb", 64), header, body);
    } catch {
      socket.close(authenticated ? MALFORMED : UNAUTHORIZED, authenticated ? "not a message" : "401");
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    clearTimeout(helloTimer);
    context.readers.close();
  });
}

function faultOf(error: unknown): WireFault {
  const { code = "EIO", message = String(error), name } = error as NodeJS.ErrnoException;
  return { code: name === "FrameError" ? "EINVAL" : String(code), message: message.slice(0, 1000) };
}
