// Ties a child process to this one: the child gets this process's signals, this process exits with the child's exit code, and the
// child does not outlive the npm that started both. Plain Node 20, no dependencies.
import { constants } from "node:os";

const PARENT_CHECK_MS = 500;
/** Read as early as possible. */
const parent = process.ppid;

/**
 * `start` starts the child and returns it; `ended` runs before this process exits. Signal handlers are installed first: a signal in
 * between would end this process and leave the child.
 */
export function supervise(start, ended = () => {}) {
  let child;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole process group; a second one would make wrangler abort its own shutdown.
      if (signal === "SIGINT" && process.stdin.isTTY) return;
      // Wrangler forwards SIGINT and SIGTERM to workerd, and dies of SIGHUP without doing so.
      child.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
    });
  }
  child = start();
  child.on("exit", (code, signal) => {
    ended();
    process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
  endWithParent(child);
  return child;
}

/** npm forwards SIGINT and SIGTERM. If it dies otherwise, this process detects that its parent has changed. */
function endWithParent(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill("SIGTERM");
  }, PARENT_CHECK_MS);
  timer.unref();
}
