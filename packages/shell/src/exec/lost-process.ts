/** Replaces a process that its backend no longer knows: its only event is that it is lost. */

import { ShellError } from "../errors.ts";
import type { BackendProcess, ExecBackend } from "../exec-backend.ts";

const REASON = "the workspace restarted while it ran; how it ended is unknown";

export function lostProcess(seq: number): BackendProcess {
  return {
    events: (async function* () {
      yield { seq, name: "exit" as const, value: { state: "lost" as const, exitCode: null, reason: REASON } };
    })(),
    kill: async () => {},
    write: async () => {
      throw new ShellError("EPIPE", REASON);
    },
    closeStdin: async () => {},
  };
}

/** A placeholder for the backend of a record if this workspace no longer has that backend. */
export const NO_BACKEND: ExecBackend = {
  name: "container",
  start: async () => {
    throw new ShellError("ENOSYS", "this workspace has no container");
  },
  attach: async () => null,
};
