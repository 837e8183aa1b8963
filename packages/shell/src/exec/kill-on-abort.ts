/** Kills the process when the caller's signal is aborted: SIGTERM first, SIGKILL after the grace period. */
import type { Execution } from "./execution.ts";

export function killOnAbort(execution: Execution, signal: AbortSignal, graceMs: number): void {
  let grace: ReturnType<typeof setTimeout> | undefined;
  const kill = (name: "SIGTERM" | "SIGKILL") => execution.kill(name).catch(() => {});
  const abort = () => {
    kill("SIGTERM");
    grace = setTimeout(() => kill("SIGKILL"), graceMs);
  };
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort);
  execution.done.then(() => {
    clearTimeout(grace);
    signal.removeEventListener("abort", abort);
  });
}
