/**
 * Handles the requests about commands. `exec` starts a command and subscribes to it, and `attach` subscribes again. `acknowledge`,
 * `unsubscribe`, `kill`, `stdin` and `eof` control a running command.
 */
import { flagOf, parseCount, parseFields, parseList, parsePath, parseText, SYNC_LIMITS } from "@workspace/protocol";
import type { Daemon } from "../daemon.ts";
import type { CommandProcess } from "../exec/command-process.ts";
import { commandEnvironment } from "../exec/environment.ts";
import { platformCertificate } from "../exec/platform-certificate.ts";
import { daemonError } from "../exec/process-table.ts";
import type { SessionVerb } from "./session-verb.ts";

const SIGNALS = ["SIGTERM", "SIGKILL", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;
const VARIABLES = 10_000;

export const execVerbs: Readonly<Record<string, SessionVerb>> = {
  async exec({ daemon, readers }, header) {
    const { options, processes, tree } = daemon;
    const id = parseProcessId(header);
    const cwd = header.cwd === "" ? "" : parsePath(header.cwd);
    const trusted = await platformCertificate(options.owner !== null);
    using pins = tree.pins();
    const directory = pins.find(cwd);
    if (directory === null) throw daemonError("ENOENT", `no directory "${cwd}" in the workspace`);
    await processes.start({
      id,
      argv: parseArgv(header, daemon.shell),
      // The child inherits the descriptor until it changes directory, so it runs in the directory that was resolved.
      cwd: directory.path,
      env: commandEnvironment(options, options.root, { ...trusted, ...parseEnvironment(header) }),
      stdin: flagOf(header, "stdin"),
      timeoutMs: parseCount(header, "timeoutMs", 2 ** 31 - 1),
      owner: options.owner,
    });
    readers.subscribe(id, 0);
    return { header: {} };
  },

  attach({ readers }, header) {
    return { header: { found: readers.subscribe(parseProcessId(header), parseCount(header, "afterSeq")) } };
  },

  confirm({ readers }, header) {
    readers.acknowledge(parseProcessId(header), parseCount(header, "seq"));
    return { header: {} };
  },

  leave({ readers }, header) {
    readers.unsubscribe(parseProcessId(header));
    return { header: {} };
  },

  kill({ daemon }, header) {
    const signal = SIGNALS.find((name) => name === header.signal);
    if (signal === undefined) throw daemonError("EINVAL", "no such signal");
    processFor(daemon, header).kill(signal);
    return { header: {} };
  },

  async stdin({ daemon }, header, body) {
    // Copied: the message's buffer belongs to the socket.
    await processFor(daemon, header).write(parseCount(header, "at"), Uint8Array.from(body));
    return { header: {} };
  },

  eof({ daemon }, header) {
    processFor(daemon, header).closeStdin();
    return { header: {} };
  },
};

function processFor({ processes }: Daemon, header: Record<string, unknown>): CommandProcess {
  const process = processes.get(parseProcessId(header));
  if (process === null) throw daemonError("ESRCH", "no such command");
  return process;
}

function parseProcessId(header: Record<string, unknown>): string {
  return parseText(header, "process", SYNC_LIMITS.idLength);
}

function parseArgv(header: Record<string, unknown>, shell: string): string[] {
  const { command } = header;
  if (typeof command === "string") {
    if (command.length > SYNC_LIMITS.commandBytes || command.includes("\0"))
      throw daemonError("EINVAL", "not a command");
    return [shell, "-c", command];
  }
  const argv = parseList(header, "command", SYNC_LIMITS.argvItems, (item) => {
    if (typeof item !== "string" || item.includes("\0")) throw daemonError("EINVAL", "not an argument");
    return item;
  });
  if (argv.length === 0 || argv[0] === "") throw daemonError("EINVAL", "an empty command");
  return argv;
}

function parseEnvironment(header: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(parseFields(header.env, "env"));
  if (entries.length > VARIABLES) throw daemonError("EINVAL", "too many variables");
  for (const [name, value] of entries) {
    if (typeof value !== "string" || name === "" || /[=\0]/.test(name) || value.includes("\0"))
      throw daemonError("EINVAL", "not a variable");
  }
  return Object.fromEntries(entries) as Record<string, string>;
}
