/** `exec` starts a command and follows it, `attach` follows it again; `confirm`, `leave`, `kill`, `stdin` and `eof` go with them. */
import { flagOf, parseCount, parseFields, parseList, parsePath, parseText, SYNC_LIMITS } from "@workspace/protocol";
import type { Daemon } from "../daemon.ts";
import type { CommandProcess } from "../exec/command-process.ts";
import { commandEnvironment } from "../exec/environment.ts";
import { platformCertificate } from "../exec/platform-certificate.ts";
import { fault } from "../exec/process-table.ts";
import type { Verb } from "./verb.ts";

const SIGNALS = ["SIGTERM", "SIGKILL", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;
const VARIABLES = 10_000;

export const execVerbs: Readonly<Record<string, Verb>> = {
  async exec({ daemon, readers }, header) {
    const { options, processes, tree } = daemon;
    const id = idOf(header);
    const cwd = header.cwd === "" ? "" : parsePath(header.cwd);
    const trusted = await platformCertificate(options.owner !== null);
    using pins = tree.pins();
    const directory = pins.find(cwd);
    if (directory === null) throw fault("ENOENT", `no directory "${cwd}" in the workspace`);
    await processes.start({
      id,
      argv: argvOf(header, daemon.shell),
      // The child still has the descriptor when it changes to its directory, so this is the directory that was found.
      cwd: directory.path,
      env: commandEnvironment(options, options.root, { ...trusted, ...environmentOf(header) }),
      stdin: flagOf(header, "stdin"),
      timeoutMs: parseCount(header, "timeoutMs", 2 ** 31 - 1),
      owner: options.owner,
    });
    readers.follow(id, 0);
    return { header: {} };
  },

  attach({ readers }, header) {
    return { header: { found: readers.follow(idOf(header), parseCount(header, "afterSeq")) } };
  },

  confirm({ readers }, header) {
    readers.confirm(idOf(header), parseCount(header, "seq"));
    return { header: {} };
  },

  leave({ readers }, header) {
    readers.leave(idOf(header));
    return { header: {} };
  },

  kill({ daemon }, header) {
    const signal = SIGNALS.find((name) => name === header.signal);
    if (signal === undefined) throw fault("EINVAL", "no such signal");
    processFor(daemon, header).kill(signal);
    return { header: {} };
  },

  async stdin({ daemon }, header, body) {
    // The message's buffer is the socket's.
    await processFor(daemon, header).write(parseCount(header, "at"), Uint8Array.from(body));
    return { header: {} };
  },

  eof({ daemon }, header) {
    processFor(daemon, header).closeStdin();
    return { header: {} };
  },
};

function processFor({ processes }: Daemon, header: Record<string, unknown>): CommandProcess {
  const process = processes.get(idOf(header));
  if (process === null) throw fault("ESRCH", "no such command");
  return process;
}

function idOf(header: Record<string, unknown>): string {
  return parseText(header, "process", SYNC_LIMITS.idLength);
}

function argvOf(header: Record<string, unknown>, shell: string): string[] {
  const { command } = header;
  if (typeof command === "string") {
    if (command.length > SYNC_LIMITS.commandBytes || command.includes("\0")) throw fault("EINVAL", "not a command");
    return [shell, "-c", command];
  }
  const argv = parseList(header, "command", SYNC_LIMITS.argvItems, (item) => {
    if (typeof item !== "string" || item.includes("\0")) throw fault("EINVAL", "not an argument");
    return item;
  });
  if (argv.length === 0 || argv[0] === "") throw fault("EINVAL", "an empty command");
  return argv;
}

function environmentOf(header: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(parseFields(header.env, "env"));
  if (entries.length > VARIABLES) throw fault("EINVAL", "too many variables");
  for (const [name, value] of entries) {
    if (typeof value !== "string" || name === "" || /[=\0]/.test(name) || value.includes("\0"))
      throw fault("EINVAL", "not a variable");
  }
  return Object.fromEntries(entries) as Record<string, string>;
}
