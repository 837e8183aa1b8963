/** The caller's handle: reads an execution's events and waits for its end. Disposing it does not stop the process. */

import { concatBytes } from "../bytes.ts";
import type { SignalName } from "../exec-backend.ts";
import type { ShellLimits } from "../limits.ts";
import type { ExecEncoding, ExecEvent, ExecHandle, ExecResult, Output } from "../shell.ts";
import type { Execution } from "./execution.ts";
import { type TruncatedStream, truncateOutput } from "./truncate-output.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false });

export function createHandle<Encoding extends ExecEncoding>(
  execution: Execution,
  encoding: Encoding,
  after: number,
  limits: ShellLimits,
): ExecHandle<Encoding> {
  const { id, callId, ranOn } = execution.record;
  const value = (bytes: Uint8Array) => (encoding === "utf8" ? decoder.decode(bytes) : bytes) as Output<Encoding>;
  const closed = Promise.withResolvers<void>();
  let open = true;

  async function* events(): AsyncGenerator<ExecEvent<Encoding>> {
    for (let seq = after; open; ) {
      const { nextChange } = execution;
      const chunks = await execution.log.after(seq);
      for (const chunk of chunks) {
        if (!open) return;
        seq = chunk.seq;
        if (chunk.value.length > 0) yield { id, seq, name: chunk.name, value: value(chunk.value) };
      }
      if (chunks.length > 0) continue;
      const { exit, failure } = execution;
      if (exit !== null) {
        if (exit.seq > seq) yield { id, seq: exit.seq, name: "exit", value: exit.value };
        return;
      }
      if (failure !== null) throw failure;
      await Promise.race([nextChange, closed.promise]);
    }
  }

  const iterator = events();
  return {
    id,
    callId,
    ranOn,
    [Symbol.asyncIterator]: () => iterator,
    result: () => resultOf(execution, encoding, limits),
    kill: (signal: SignalName = "SIGTERM") => execution.kill(signal),
    write: (input) => execution.write(typeof input === "string" ? encoder.encode(input) : input),
    closeStdin: () => execution.closeStdin(),
    async [Symbol.asyncDispose]() {
      open = false;
      closed.resolve();
    },
  };
}

async function resultOf<Encoding extends ExecEncoding>(
  execution: Execution,
  encoding: Encoding,
  limits: ShellLimits,
): Promise<ExecResult<Encoding>> {
  while (execution.exit === null) {
    if (execution.failure !== null) throw execution.failure;
    await execution.nextChange;
  }
  const { record, log, exit } = execution;
  const { stdout, stderr } = await truncateOutput(log.retained(), log.bytes, limits.keptBytes);
  const path = record.output?.path;
  const output = (stream: TruncatedStream) =>
    (encoding === "utf8" ? streamText(stream, path) : concatBytes([stream.head, stream.tail])) as Output<Encoding>;
  return {
    ...exit.value,
    id: record.id,
    stdout: output(stdout),
    stderr: output(stderr),
    truncated: stdout.omitted + stderr.omitted > 0,
    output: record.output,
    ranOn: record.ranOn,
    ...(record.sync && { sync: record.sync }),
    callId: record.callId,
    ...(record.changed && { changed: record.changed }),
  };
}

function streamText({ head, omitted, tail }: TruncatedStream, path: string | undefined): string {
  if (omitted === 0) return decoder.decode(concatBytes([head, tail]));
  const where = path === undefined ? "" : `; the whole is in ${path}`;
  return `${decoder.decode(head)}\n[... ${omitted} bytes left out here${where} ...]\n${decoder.decode(tail)}`;
}
