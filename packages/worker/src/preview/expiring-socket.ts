/** Relays a previewed server's WebSocket until the preview cookie expires: the runtime would leave a forwarded socket open. */
import { atExpiry } from "../http/expiry.ts";

/** Close codes that a program may send; the others are the runtime's. */
const isSendable = (code: number) => code === 1000 || (code >= 3000 && code <= 4999);

export function expiringSocket(upstream: WebSocket, expiresAt: number): WebSocket {
  const { 0: client, 1: server } = new WebSocketPair();
  const cancel = atExpiry(expiresAt, () => {
    close(upstream, 1001, "");
    close(server, 4401, "the preview's time is over");
  });
  relay(upstream, server, cancel);
  relay(server, upstream, cancel);
  return client;
}

function relay(from: WebSocket, to: WebSocket, ended: () => void): void {
  from.binaryType = "arraybuffer";
  from.addEventListener("message", ({ data }) => {
    try {
      to.send(data as string | ArrayBuffer);
    } catch {
      // Already closed.
    }
  });
  const end = (code: number, reason: string) => {
    ended();
    close(to, code, reason);
    close(from, code, reason);
  };
  from.addEventListener("close", ({ code, reason }) => end(code, reason));
  from.addEventListener("error", () => end(1011, ""));
  from.accept();
}

function close(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(isSendable(code) || code === 1001 || code === 1011 ? code : 1000, reason);
  } catch {
    // Already closed.
  }
}
