/**
 * The host-check proxy of local mode: the only external access to `wrangler dev`, on 127.0.0.1. It is needed because `wrangler dev`
 * trusts a request's own claim of its address (the header MF-Original-URL rewrites URL and Host), so a web page whose own name
 * resolves to 127.0.0.1 could pass the Worker's Host check. The proxy sees the real Host, which must be this machine with this
 * port. Wrangler's own headers (MF-*) and paths (/cdn-cgi/) are refused or dropped. Every forwarded request gets a key of this run,
 * without which the Worker refuses a request in local mode.
 */
import { Agent, createServer, request as send } from "node:http";
import { connect } from "node:net";

const PROXY_KEY_HEADER = "x-workspace-gate";

/** Headers that are not forwarded: wrangler's, ours, and `Expect`, which is answered here. */
const DROPPED = /^(?:mf-.*|expect|x-workspace-gate)$/i;
/** Hop-by-hop headers. An upgrade keeps them. */
const OF_ONE_HOP = /^(?:connection|keep-alive|proxy-connection)$/i;

/** The first label of a preview's hostname; the Worker serves nothing else there. */
const PREVIEW_LABEL = /^p\d{1,5}-[0-9a-f]{20}$/;

/** Idle connections are closed before workerd closes them on its side, after five seconds. */
const agent = new Agent({ keepAlive: true, timeout: 2000 });

export async function startHostCheckProxy({ port, upstreamPort, key }) {
  const server = createServer({ requestTimeout: 0 });
  const admits = (request) => isOwnHost(request, server.address().port);
  server.on("request", (request, response) => {
    if (!admits(request)) return refuse(response);
    if (isToolPath(request.url)) return noRoute(response);
    forward(request, response, { upstreamPort, key });
  });
  server.on("upgrade", (request, socket, head) => {
    if (!admits(request)) return socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    if (isToolPath(request.url))
      return socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    forwardUpgrade(request, socket, head, { upstreamPort, key });
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return server;
}

/**
 * Exactly one Host, and it is one of the three names of this machine, or of a preview (a name below localhost, which browsers
 * resolve to this machine and no page on the internet can have), with the port of this proxy.
 */
function isOwnHost({ headersDistinct }, port) {
  const hosts = headersDistinct.host ?? [];
  if (hosts.length !== 1) return false;
  const host = hosts[0].toLowerCase();
  const own = ["127.0.0.1", "localhost", "[::1]"].some((name) => host === `${name}:${port}`);
  return (
    own ||
    (host.endsWith(`.localhost:${port}`) &&
      PREVIEW_LABEL.test(host.slice(0, host.indexOf("."))) &&
      host.split(".").length === 2)
  );
}

/**
 * Wrangler itself serves `/cdn-cgi/…`, before the Worker. The path is normalized here in every way that a server might: repeated
 * and encoded slashes, dot segments, backslashes, control characters. A target that is not a path (`http://…`) is refused too.
 */
function isToolPath(target) {
  if (!target.startsWith("/")) return true;
  let path = target.split(/[?#]/, 1)[0];
  for (let encoded = 0; encoded < 3; encoded++)
    path = path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const open = [];
  for (const segment of path.toLowerCase().split(/[/\\]/)) {
    const name = segment.replace(/[^!-~]/g, "");
    if (name === "..") open.pop();
    else if (name !== "" && name !== ".") open.push(name);
    if (open[0]?.startsWith("cdn-cgi")) return true;
  }
  return false;
}

function forward(request, response, { upstreamPort, key }) {
  const { method, url } = request;
  const headers = without(OF_ONE_HOP, headersFor(request, key));
  const upstream = send({ agent, host: "127.0.0.1", port: upstreamPort, method, path: url, headers });
  upstream.on("response", (answer) => {
    if (isWranglersOwn(request, answer)) {
      answer.resume();
      return unavailable(response);
    }
    response.writeHead(answer.statusCode, answer.statusMessage, without(OF_ONE_HOP, answer.rawHeaders));
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  upstream.on("error", () => (response.headersSent ? response.destroy() : unavailable(response)));
  // A client that disconnects aborts its request; one that was refused early may still be sending.
  response.on("close", () => upstream.destroy());
  request.on("error", () => upstream.destroy());
  request.pipe(upstream);
}

/**
 * A failure of `wrangler dev` between here and the Worker: it lost a connection (its proxy reuses ones that workerd has just closed
 * as idle), or it is rebuilding. The Worker's own responses have this header; a preview's page may send anything.
 */
function isWranglersOwn({ headers: { host = "" } }, { statusCode, headers }) {
  const fault = statusCode === 500 || statusCode === 502 || statusCode === 503;
  return fault && headers["x-content-type-options"] === undefined && !PREVIEW_LABEL.test(host.split(".", 1)[0]);
}

/** WebSockets: the request head is forwarded as received, then both sockets are piped. */
function forwardUpgrade(request, socket, head, { upstreamPort, key }) {
  const upstream = connect(upstreamPort, "127.0.0.1", () => {
    const lines = pairs(headersFor(request, key)).map(([name, value]) => `${name}: ${value}\r\n`);
    upstream.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  for (const [one, other] of [
    [socket, upstream],
    [upstream, socket],
  ]) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
  }
}

/** Names and values in one flat list, as Node's rawHeaders. */
function headersFor(request, key) {
  return [...without(DROPPED, request.rawHeaders), PROXY_KEY_HEADER, key];
}

function without(pattern, flat) {
  return pairs(flat)
    .filter(([name]) => !pattern.test(name))
    .flat();
}

function pairs(flat) {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
}

function refuse(response) {
  const message = "the Host of this request is not this machine";
  const hint = "Local mode answers this machine only, at the address that `npm start` printed.";
  answer(response, 403, { code: "FORBIDDEN", message, hint });
}

function noRoute(response) {
  answer(response, 404, {
    code: "NO_ROUTE",
    message: "there is no such path here",
    hint: "GET /api lists what there is.",
  });
}

function unavailable(response) {
  const hint =
    "The server is starting, busy or has stopped, and a change may have been made or not. Try again; the output of `npm start` says more.";
  answer(response, 503, { code: "UNAVAILABLE", message: "the Worker does not answer", hint }, { "Retry-After": "1" });
}

/** In the format of the Worker's own errors. Closes the connection: the body may be unread. */
function answer(response, status, error, headers = {}) {
  const type = { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff", Connection: "close" };
  response.writeHead(status, { ...type, ...headers });
  response.end(JSON.stringify({ error }));
}
