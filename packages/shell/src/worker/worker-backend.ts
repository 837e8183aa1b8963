/**
 * The backend inside the Worker: just-bash on the workspace's own files. Its processes end with the isolate, so after an eviction
 * it knows none of them, and reports that. A kill, a timeout or a limit also cuts off file access: no file changes after the
 * `exit`.
 */
import { concatBytes } from "../bytes.ts";
import { ShellError } from "../errors.ts";
import type { ExecBackend, ExecRequest } from "../exec-backend.ts";
import { shellLimits } from "../limits.ts";
import type { WorkerHost } from "./worker-host.ts";
import { WorkerProcess } from "./worker-process.ts";

export function createWorkerBackend(host: WorkerHost): ExecBackend {
  const processes = new Map<string, WorkerProcess>();
  return {
    name: "worker",
    async start(request) {
      if (processes.has(request.id)) throw new ShellError("EEXIST", `there is an execution "${request.id}" already`);
      const input = await collectStdin(request.stdin);
      const stat = await host
        .fileSystem(request)
        .stat(request.cwd)
        .catch(() => null);
      if (stat === null || !stat.isDirectory())
        throw new ShellError("EINVAL", `cwd "${request.cwd}" is no directory of this workspace`);
      const process = new WorkerProcess(host, request, input);
      processes.set(request.id, process);
      process.over.then(() => processes.delete(request.id));
      return process;
    },
    // A live process is already followed; one that is done or from before an eviction is unknown.
    attach: async ({ id }, afterSeq) => processes.get(id)?.from(afterSeq) ?? null,
  };
}

async function collectStdin(stdin: ExecRequest["stdin"]): Promise<Uint8Array> {
  if (stdin === null) return new Uint8Array(0);
  const tooMuch = () =>
    new ShellError("EINVAL", `the Worker's shell takes at most ${shellLimits.stdinBytes} bytes of standard input`);
  if (stdin instanceof Uint8Array) {
    if (stdin.length > shellLimits.stdinBytes) throw tooMuch();
    return stdin;
  }
  const parts: Uint8Array[] = [];
  let held = 0;
  for await (const part of stdin) {
    parts.push(part);
    held += part.length;
    if (held > shellLimits.stdinBytes) throw tooMuch();
  }
  return concatBytes(parts);
}
