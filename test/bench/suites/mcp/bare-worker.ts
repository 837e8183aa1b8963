/** The least that answers the same requests: JSON in, one row of SQL, JSON out. The limit of the machine, not a server of MCP. */
import { DurableObject } from "cloudflare:workers";

interface Env {
  BARE: DurableObjectNamespace<BareObject>;
}

export class BareObject extends DurableObject {
  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env as never);
    ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS row (id INTEGER PRIMARY KEY, text TEXT)");
  }

  read(): string {
    return String(this.ctx.storage.sql.exec("SELECT text FROM row WHERE id = 1").toArray()[0]?.text ?? "");
  }

  write(text: string): void {
    this.ctx.storage.sql.exec("INSERT OR REPLACE INTO row VALUES (1, ?)", text);
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const message = (await request.json()) as {
      id: number;
      method: string;
      params?: { name?: string; arguments?: { content?: string } };
    };
    const object = env.BARE.get(env.BARE.idFromName("bench"));
    const { content } = message.params?.arguments ?? {};
    if (content !== undefined) await object.write(content);
    const text = content === undefined && message.method !== "tools/list" ? await object.read() : "";
    return Response.json({ jsonrpc: "2.0", id: message.id, result: { content: [{ type: "text", text }] } });
  },
};
