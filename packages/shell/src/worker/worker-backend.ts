/**
 * The backend inside the Worker: just-bash on the workspace's own files. Its processes live and die with the isolate, so after an
 * eviction it knows none of them, and says so. What stops one (a kill, a timeout, a limit) also stops its hands: no file changes
 * after the `exit`.
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
    // Alive, it is followed already; over or of another life, nobody knows it.
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
