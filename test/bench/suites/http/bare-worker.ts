/** The minimum that answers the same requests: one row of SQL for a file, and a message to its watchers for every write. The limit of the machine. */
import { DurableObject } from "cloudflare:workers";

interface Env {
  BARE: DurableObjectNamespace<BareObject>;
}

export class BareObject extends DurableObject {
  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env as never);
    ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS row (id TEXT PRIMARY KEY, bytes BLOB)");
  }

  read(id: string): ArrayBuffer {
    return this.ctx.storage.sql.exec("SELECT bytes FROM row WHERE id = ?", id).toArray()[0]?.bytes as ArrayBuffer;
  }

  write(id: string, bytes: ArrayBuffer): void {
    this.ctx.storage.sql.exec("INSERT OR REPLACE INTO row VALUES (?, ?)", id, bytes);
    const text = JSON.stringify({ changes: [{ path: id }], cursor: "1" });
    for (const socket of this.ctx.getWebSockets()) socket.send(text);
  }

  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    server.send(JSON.stringify({ changes: [], cursor: "0" }));
    return new Response(null, { status: 101, webSocket: client });
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const object = env.BARE.get(env.BARE.idFromName("bench"));
    if (request.headers.get("Upgrade") !== null) return object.fetch(request);
    const { pathname } = new URL(request.url);
    if (request.method !== "PUT") return new Response(await object.read(pathname));
    await object.write(pathname, await request.arrayBuffer());
    return new Response(null, { status: 204 });
  },
};
