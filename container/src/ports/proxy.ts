/**
 * `/ports/<port>/…` with the secret in a header: forwards the request unchanged to that port on loopback, streaming both ways; an
 * upgrade becomes a plain tunnel. The daemon's own port is refused.
 */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

export const SECRET_HEADER = "x-workspace-secret";
/** The `Origin` of the previewed request. The daemon refuses a request with an `Origin` of its own, since only browsers send one. */
const ORIGIN_HEADER = "x-workspace-origin";
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
  SECRET_HEADER,
]);
const LOOPBACK = ["127.0.0.1", "::1"];

export interface PortTarget {
  port: number;
  path: string;
}

export function portTarget(url: string | undefined, ownPort: number): PortTarget | null {
  const match = /^\/ports\/(\d{1,5})(\/.*)$/.exec(url ?? "");
  const port = Number(match?.[1]);
  if (match === null || port < 1 || port > 65_535 || port === ownPort) return null;
  return { port, path: match[2] as string };
}

export async function proxyRequest(
  target: PortTarget,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const socket = await connectTo(target.port);
  if (socket === null) return refuse(response, target.port);
  const headers = Object.entries(request.headers).filter(([name]) => !HOP_BY_HOP.has(name));
  const named = headers.map(([name, value]) => [name === ORIGIN_HEADER ? "origin" : name, value]);
  const upstream = httpRequest({
    createConnection: () => socket,
    method: request.method ?? "GET",
    path: target.path,
    headers: Object.fromEntries(named) as Record<string, string>,
    setHost: request.headers.host === undefined,
  });
  upstream.on("response", (answer) => {
    const retained = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.has(name));
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(retained) as Record<string, string>);
    response.flushHeaders();
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  upstream.on("error", () => (response.headersSent ? response.destroy() : refuse(response, target.port)));
  response.on("close", () => upstream.destroy());
  request.pipe(upstream);
}

function refuse(response: ServerResponse, port: number): void {
  response.writeHead(502, { "content-type": "text/plain" });
  response.end(`nothing answers on port ${port} in the container\n`);
}

export async function proxyUpgrade(target: PortTarget, request: IncomingMessage, client: Duplex, head: Buffer) {
  const upstream = await connectTo(target.port);
  if (upstream === null)
    return void client.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  const lines = [`${request.method} ${target.path} HTTP/1.1`];
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] as string;
    if (name.toLowerCase() === SECRET_HEADER) continue;
    lines.push(`${name.toLowerCase() === ORIGIN_HEADER ? "Origin" : name}: ${request.rawHeaders[i + 1]}`);
  }
  upstream.write(`${lines.join("\r\n")}\r\n\r\n`);
  if (head.length > 0) upstream.write(head);
  upstream.pipe(client);
  client.pipe(upstream);
  upstream.on("error", () => client.destroy());
  client.on("error", () => upstream.destroy());
  client.on("close", () => upstream.destroy());
}

/** Development servers listen on either loopback address. */
async function connectTo(port: number): Promise<Socket | null> {
  for (const host of LOOPBACK) {
    const socket = await new Promise<Socket | null>((resolve) => {
      const opening = connect({ host, port });
      opening.once("connect", () => resolve(opening));
      opening.once("error", () => resolve(null));
    });
    if (socket !== null) return socket;
  }
  return null;
}
