/** A workspace with a container for the bench: each request does one thing and answers when it is done. */
import { DurableObject } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";

export interface SyncWork {
  /** Of the daemon: host and port. */
  address: string;
  do: "write" | "sync" | "push" | "exec" | "large";
  files?: number;
  size?: number;
  /** Makes contents differ from an earlier time. */
  salt?: string;
  command?: string;
  times?: number;
}

export class SyncObject extends DurableObject {
  #workspace: Workspace | undefined;

  override async fetch(request: Request): Promise<Response> {
    const work = (await request.json()) as SyncWork;
    this.#workspace ??= new Workspace({
      storage: this.ctx.storage,
      sandbox: {
        fetch: (requested) =>
          fetch(
            new Request(
              requested.url.replace("http://sandbox", () => `http://${work.address}`),
              requested,
            ),
          ),
      },
      sandboxSettings: { idleMs: 60_000 },
    });
    return Response.json((await this.#perform(this.#workspace, work)) ?? null);
  }

  async #perform(
    { fs, container }: Workspace,
    { do: what, files = 0, size = 0, salt = "", command = "", times = 1 }: SyncWork,
  ) {
    switch (what) {
      case "write":
        for (let at = 0; at < files; at += 1000) {
          const batch = Array.from({ length: Math.min(1000, files - at) }, (_, i) => at + i);
          await fs.writeMany(
            batch.map((n) => ({ path: `/workspace/d${n % 200}/f${n}.txt`, content: `${salt}${n} `.padEnd(size, "x") })),
          );
        }
        return;
      case "large":
        return void (await fs.writeFile("/workspace/large", pieces(size)));
      case "push":
        return container?.ready();
      case "sync":
        return container?.sync();
      case "exec": {
        for (let i = 0; i < times; i++) {
          const id = crypto.randomUUID();
          const run = await container?.backend.start({
            id,
            command,
            cwd: "/workspace",
            env: {},
            stdin: null,
            timeoutMs: 0,
            callId: id,
          });
          for await (const event of run?.events ?? [])
            if (event.name === "exit" && event.value.exitCode !== 0) throw new Error("it failed");
        }
        return;
      }
      default:
        what satisfies never;
    }
  }
}

async function* pieces(size: number): AsyncGenerator<Uint8Array> {
  const piece = crypto.getRandomValues(new Uint8Array(65_536));
  for (let at = 0; at < size; at += piece.length) yield piece.slice(0, Math.min(piece.length, size - at));
}

export default {
  fetch(request: Request, env: { SYNC: DurableObjectNamespace }): Promise<Response> {
    return env.SYNC.getByName(new URL(request.url).pathname).fetch(request);
  },
};
