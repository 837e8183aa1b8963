/** The daemon as a library, for tests and benches that run it in their own process. */
export { Daemon, type DaemonOptions } from "./daemon.ts";
export { parseFlags } from "./daemon-flags.ts";
export { serve } from "./server.ts";
