/**
 * A slow workspace: it reads each body in small pieces, and counts what it took and what it gave, so that a test can
 * tell how far the other side ran ahead.
 */
import type { WorkspaceCall, WorkspaceReply } from "@cloudflare/workspace";
import { HttpWorkspaceObject } from "@workspace/worker/objects";

export class SlowObject extends HttpWorkspaceObject {
  #taken = 0;
  #given = 0;

  override async fetch(request: Request): Promise<Response> {
    const body = request.body?.pipeThrough(meter((bytes) => (this.#taken += bytes)));
    const answer = await super.fetch(body === undefined ? request : new Request(request, { body }));
    if (answer.body === null) return answer;
    return new Response(answer.body.pipeThrough(meter((bytes) => (this.#given += bytes))), answer);
  }

  override async workspaceRpc(call: WorkspaceCall): Promise<WorkspaceReply> {
    const body = call.body?.pipeThrough(meter((bytes) => (this.#taken += bytes)));
    const reply = await super.workspaceRpc(body === undefined ? call : { ...call, body });
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
