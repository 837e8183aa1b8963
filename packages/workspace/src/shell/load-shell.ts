/** The shell, loaded on first use: a Worker that never runs a command starts without it. */
import type { ShellFactory } from "./workspace-shell.ts";

export const loadShell: ShellFactory = async (host) => (await import("./create-shell.ts")).createShell(host);
