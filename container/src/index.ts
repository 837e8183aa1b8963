/** The daemon, for those who run it in a process of their own: tests and benches. */
export { Daemon, type DaemonOptions } from "./daemon.ts";
export { parseFlags } from "./daemon-flags.ts";
export { serve } from "./server.ts";
