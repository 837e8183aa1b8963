/** The command line of `workspaced`. The parser and the help text derive from one table of flags. */
import { parseArgs } from "node:util";

export interface DaemonFlags {
  root: string;
  host: string;
  port: number;
  uid: number | null;
  gid: number | null;
  home: string | null;
  /** Path of the secret file; null: the first hello sets the secret. */
  secretFile: string | null;
}

const FLAGS = {
  root: { type: "string", help: "directory that holds the tree; an earlier tree in it is moved aside (required)" },
  host: { type: "string", help: "address to listen on; default 127.0.0.1" },
  port: { type: "string", help: "port to listen on; default 7777, 0 for any" },
  uid: { type: "string", help: "user that commands run as, and that nothing else does; needs root" },
  gid: { type: "string", help: "group that commands run as; default the uid" },
  home: { type: "string", help: "home directory of that user; default the root" },
  "secret-file": { type: "string", help: "file with the secret, created when missing; default <root>.secret" },
  claim: {
    type: "boolean",
    help: "take the secret from the first hello: for a container, where nothing else can connect",
  },
  help: { type: "boolean", help: "this" },
} as const;

const USAGE = `usage: workspaced --root <directory> [flags]\n${Object.entries(FLAGS)
  .map(([name, { help }]) => `  --${name.padEnd(11)} ${help}`)
  .join("\n")}\n`;

/** Returns a string for an error message, or with `--help` the usage text. */
export function parseFlags(argv: readonly string[]): DaemonFlags | { exitCode: number; text: string } {
  let values: Record<string, string | boolean | undefined>;
  try {
    const options = Object.fromEntries(Object.entries(FLAGS).map(([name, { type }]) => [name, { type }]));
    values = parseArgs({ args: [...argv], options, strict: true }).values as typeof values;
  } catch (error) {
    return { exitCode: 2, text: `workspaced: ${(error as Error).message}\n${USAGE}` };
  }
  if (values.help === true) return { exitCode: 0, text: USAGE };
  const number = (name: string, max: number): number | null => {
    const value = values[name];
    if (value === undefined) return null;
    return /^\d+$/.test(String(value)) && Number(value) <= max ? Number(value) : Number.NaN;
  };
  const root = values.root as string | undefined;
  const port = number("port", 65_535) ?? 7777;
  const uid = number("uid", 2 ** 32 - 2);
  const gid = number("gid", 2 ** 32 - 2) ?? uid;
  if (root === undefined || !root.startsWith("/"))
    return { exitCode: 2, text: `workspaced: --root must be an absolute path\n${USAGE}` };
  if (Number.isNaN(port) || Number.isNaN(uid) || Number.isNaN(gid) || uid === 0)
    return { exitCode: 2, text: `workspaced: --port, --uid and --gid are numbers, --uid not 0\n${USAGE}` };
  const file = values["secret-file"] as string | undefined;
  if (values.claim === true && file !== undefined)
    return { exitCode: 2, text: `workspaced: --claim and --secret-file exclude each other\n${USAGE}` };
  const secretFile = values.claim === true ? null : (file ?? `${root.replace(/(?<!\/)\/+$/, "")}.secret`);
  const host = (values.host as string) ?? "127.0.0.1";
  return { root, host, port, uid, gid, home: (values.home as string) ?? null, secretFile };
}
