/**
 * Runs git inside the object and streams its output as NDJSON. (Functions do not cross RPC, a byte stream does.) A disconnect does
 * not stop the command: half a fetch would be worse than a complete one without a reader.
 */
import type { Identity, Workspace } from "@cloudflare/workspace";
import type { GitBody, GitEvent } from "../api/git.ts";
import { errorBody } from "../errors/error-response.ts";
import { textOrBase64 } from "../http/text-or-base64.ts";

export interface GitRequest extends GitBody {
  identity: Identity;
}

const encoder = new TextEncoder();

export function streamGit(
  workspace: Workspace,
  { identity, ...call }: GitRequest,
  done: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, {
    highWaterMark: 1024,
  });
  const writer = writable.getWriter();
  const tell = (event: GitEvent) => void writer.write(encoder.encode(`${JSON.stringify(event)}\n`)).catch(() => {});
  const run = async () => {
    try {
      const { exitCode } = await workspace.as(identity).git.cli({
        ...call,
        onStdout: (data) => tell({ type: "stdout", value: textOrBase64(data) }),
        onStderr: (data) => tell({ type: "stderr", value: textOrBase64(data) }),
      });
      tell({ type: "end", exitCode });
    } catch (error) {
      tell({ type: "error", ...errorBody(error) });
    }
    await done();
    await writer.close().catch(() => {});
  };
  run().catch(() => {});
  return readable;
}
