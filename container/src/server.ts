/** One port: health for whoever starts containers, the WebSocket at `/connect`, and the port proxy. Everything else is 401. */
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
  server.on("request", (request, response) => {
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
