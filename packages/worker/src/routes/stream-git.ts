/**
 * Runs git and streams its output as NDJSON. A disconnect does
 * not stop the command: half a fetch would be worse than a complete one without a reader.
 */
import type { GitBody, GitEvent } from "../api/git.ts";
import { errorBody } from "../errors/error-response.ts";
import { textOrBase64 } from "../http/text-or-base64.ts";
import type { CallWorkspace } from "./route.ts";

const encoder = new TextEncoder();

export function streamGit(
  { git }: Pick<CallWorkspace, "git">,
  call: GitBody,
  done: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, {
    highWaterMark: 1024,
  });
  const writer = writable.getWriter();
  const tell = (event: GitEvent) => void writer.write(encoder.encode(`${JSON.stringify(event)}\n`)).catch(() => {});
  const run = async () => {
    try {
      const { exitCode } = await git.cli({
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
