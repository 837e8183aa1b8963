/** The shell, loaded when it is first asked for: a worker that never runs a command starts without it. */
import type { ShellFactory } from "./workspace-shell.ts";

export const loadShell: ShellFactory = async (host) => (await import("./create-shell.ts")).createShell(host);
