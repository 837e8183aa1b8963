/**
 * A workspace behind a slow door: it takes each body in small sips, and counts what it took and what it gave, so that a test can
 * tell how far the other side ran ahead.
 */
import { DurableObject } from "cloudflare:workers";
import { serveWorkspace, Workspace, type WorkspaceCall, type WorkspaceReply } from "@cloudflare/workspace";

export class MeteredObject extends DurableObject {
  readonly workspace = new Workspace({ storage: this.ctx.storage });
  #taken = 0;
  #given = 0;

  async workspaceRpc(call: WorkspaceCall): Promise<WorkspaceReply> {
    const body = call.body?.pipeThrough(meter((bytes) => (this.#taken += bytes)));
    const reply = await serveWorkspace(this.workspace, body === undefined ? call : { ...call, body });
    if (!("stream" in reply) || reply.stream === undefined) return reply;
    return { ...reply, stream: reply.stream.pipeThrough(meter((bytes) => (this.#given += bytes))) };
  }

  meter(): { taken: number; given: number } {
    return { taken: this.#taken, given: this.#given };
  }
}

function meter(count: (bytes: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let since = 0;
  return new TransformStream({
    async transform(chunk, controller) {
      count(chunk.length);
      since += chunk.length;
      if (since > 1024 * 1024) {
        since = 0;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      controller.enqueue(chunk);
    },
  });
}
