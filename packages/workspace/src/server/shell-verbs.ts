/**
 * The shell over RPC. One call starts a command and others follow it, each from the last event seen, so that the object holds
 * nothing between them (docs/decisions/0008-shell.md): after an eviction or a cut the next poll resumes.
 */
import {
  ownBytes,
  RPC_LIMITS,
  type WireExec,
  type WireExecEvent,
  type WireExecResult,
  type WorkspaceAnswer,
} from "@workspace/protocol";
import type { ExecHandle, SignalName } from "@workspace/shell";
import { bytes, either, integer, list, oneOf, optional, optionsOf, size, text } from "./arguments.ts";
import type { CallContext } from "./call-context.ts";
import { chunksOf, toReadableStream } from "./encode-reply.ts";
import { verbDefiner } from "./verb.ts";

const verb = verbDefiner<CallContext>();
const signal = oneOf<SignalName>("SIGTERM", "SIGKILL", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2");
const encoding = oneOf("utf8", "bytes");
const resume = optional(either(oneOf("tail", "full"), size));
const command = either(text, list(text, RPC_LIMITS.listItems));

/** A stream of standard input is the call's body. */
export const shellExec = verb([command, optionsOf("shell.exec")], async ({ workspace, body }, requested, given) => {
  const handle = await workspace.shell.exec(requested, { ...given, ...(body && { stdin: body }) });
  return { value: about(handle) };
});

export const shellGet = verb([text], async ({ workspace }, id) => ({ value: about(await workspace.shell.get(id)) }));

/** The available events, a page of them, or the first within `waitMs`; empty when there was none. */
export const shellEvents = verb([text, resume, size], async ({ workspace }, id, after, waitMs) => {
  await using handle = await workspace.shell.get(id, { resume: after });
  const events: WireExecEvent[] = [];
  const iterator = handle[Symbol.asyncIterator]();
  let held = 0;
  while (held < RPC_LIMITS.inlineBytes && events.length < RPC_LIMITS.pageItems) {
    const next = await withTimeout(iterator.next(), events.length > 0 ? 0 : Math.min(waitMs, RPC_LIMITS.watchWaitMs));
    if (next === null || next.done) break;
    const event = next.value;
    if (event.name === "exit") {
      events.push({ seq: event.seq, name: "exit", value: event.value });
      break;
    }
    held += (event.value as Uint8Array).length;
    events.push({ seq: event.seq, name: event.name, value: ownBytes(event.value as Uint8Array) });
  }
  return { value: events };
});

/** Null while it runs; otherwise stdout and stderr are in the message, or one after the other in its stream. */
export const shellResult = verb(
  [text, size, encoding],
  async ({ workspace }, id, waitMs, kind): Promise<WorkspaceAnswer> => {
    await using handle = await workspace.shell.get(id, { encoding: kind });
    const result = await withTimeout(handle.result(), Math.min(waitMs, RPC_LIMITS.watchWaitMs));
    if (result === null) return { value: null };
    const { stdout: out, stderr: err, ...rest } = result;
    const [stdout, stderr] = [asBytes(out), asBytes(err)];
    const value: WireExecResult = { ...rest, stdoutSize: stdout.length, stderrSize: stderr.length };
    if (stdout.length + stderr.length <= RPC_LIMITS.inlineBytes)
      return { value: { ...value, stdout: ownBytes(stdout), stderr: ownBytes(stderr) } };
    return { value, stream: toReadableStream(chunksOfBoth(stdout, stderr)) };
  },
);

export const shellKill = verb([text, signal], async ({ workspace }, id, name) => {
  await (await workspace.shell.get(id)).kill(name);
  return {};
});

export const shellWrite = verb([text, bytes], async ({ workspace }, id, input) => {
  await (await workspace.shell.get(id)).write(input);
  return {};
});

export const shellCloseStdin = verb([text], async ({ workspace }, id) => {
  await (await workspace.shell.get(id)).closeStdin();
  return {};
});

export const shellList = verb([optionsOf("shell.list")], async ({ workspace }, requested) => ({
  value: await workspace.shell.list(requested),
}));

export const shellRemove = verb([text], async ({ workspace }, id) => {
  await workspace.shell.remove(id);
  return {};
});

export const shellReady = verb([], async ({ workspace }) => ({ value: await workspace.shell.ready() }));
export const shellPorts = verb([], async ({ workspace }) => ({ value: await workspace.shell.ports() }));
export const shellExposePort = verb([integer], async ({ workspace }, port) => ({
  value: await workspace.shell.exposePort(port),
}));
export const shellUnexposePort = verb([integer], async ({ workspace }, port) => ({
  value: await workspace.shell.unexposePort(port),
}));

function about({ id, callId, ranOn }: ExecHandle): WireExec {
  return { id, callId, ranOn };
}

/** Text may include a truncation notice: it crosses unchanged. */
function asBytes(output: string | Uint8Array): Uint8Array {
  return typeof output === "string" ? new TextEncoder().encode(output) : output;
}

function* chunksOfBoth(first: Uint8Array, second: Uint8Array): Generator<Uint8Array> {
  yield* chunksOf(first);
  yield* chunksOf(second);
}

/** Null after the timeout. */
async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  promise.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
