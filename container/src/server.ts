/**
 * One port: a health check for the container platform, the WebSocket at `/connect`, and the port proxy. Everything else is 401.
 * Browser requests are 403: a page of any site can connect to a local port, and its WebSockets and writes carry an `Origin`.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SYNC_LIMITS } from "@workspace/protocol";
import { WebSocketServer } from "ws";
import type { Daemon } from "./daemon.ts";
import { portTarget, proxyRequest, proxyUpgrade, SECRET_HEADER } from "./ports/proxy.ts";
import { startSession } from "./session/session.ts";

export interface ListenOptions {
  host: string;
  port: number;
}

export async function serve(daemon: Daemon, { host, port }: ListenOptions): Promise<{ server: Server; port: number }> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: SYNC_LIMITS.messageBytes,
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  const server = createServer();
  const ownPort = () => (server.address() as AddressInfo | null)?.port ?? port;
  const targetOf = (request: IncomingMessage) => {
    const given = request.headers[SECRET_HEADER];
    return daemon.secret.matches(typeof given === "string" ? given : undefined)
      ? portTarget(request.url, ownPort())
      : null;
  };
  const isForeign = (request: IncomingMessage) =>
    request.headers.origin !== undefined || (daemon.options.secret !== null && !isOwnHost(request, host, ownPort()));
  server.on("request", (request, response) => {
    if (isForeign(request)) {
      response.writeHead(403, { "content-length": "0", connection: "close" });
      return void response.end();
    }
    if (request.method === "GET" && request.url === "/health") {
      response.writeHead(200, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ ok: true, busy: daemon.processes.isBusy }));
    }
    const target = targetOf(request);
    if (target !== null) return void proxyRequest(target, request, response);
    response.writeHead(401, { "content-length": "0", connection: "close" });
    response.end();
  });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => {});
    if (isForeign(request))
      return void socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    if (request.url === "/connect")
      return sockets.handleUpgrade(request, socket, head, (opened) => startSession(daemon, opened));
    const target = targetOf(request);
    if (target !== null) return void proxyUpgrade(target, request, socket, head);
    socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return { server, port: ownPort() };
}

/**
 * Requires exactly one Host: a loopback name or the listen address, with the port. A page whose name resolves to 127.0.0.1 sends
 * another.
 */
function isOwnHost({ headersDistinct }: IncomingMessage, listening: string, port: number): boolean {
  const [given, ...more] = headersDistinct.host ?? [];
  const names = ["127.0.0.1", "localhost", "[::1]", listening];
  return more.length === 0 && names.some((name) => given?.toLowerCase() === `${name}:${port}`);
}
