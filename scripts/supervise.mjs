// Ties a child process to this one: it gets the signals that this process gets, this process ends with its exit code, and it does not
// outlive the npm that started both. Plain Node 20, no dependencies.
import { constants } from "node:os";

const PARENT_CHECK_MS = 500;
/** Read as early as possible. */
const parent = process.ppid;

/**
 * `start` starts the child and returns it; `ended` runs before this process exits. The signals are listened for first: one that came
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

/** npm forwards SIGINT and SIGTERM. When it dies of anything else, its child notices that it has another parent. */
function endWithParent(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill("SIGTERM");
  }, PARENT_CHECK_MS);
  timer.unref();
}
