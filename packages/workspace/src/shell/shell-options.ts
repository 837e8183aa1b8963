/** The options of the calls of `workspace.shell`, here and over RPC. The shell itself checks their values. */
import type { ExecOptions, GetOptions, ListOptions } from "@workspace/shell";
import { anyValue as any, checkOptions, type OptionsOf, type OptionTable } from "@workspace/vfs";

const exec: OptionsOf<ExecOptions> = {
  id: any,
  cwd: any,
  env: any,
  stdin: any,
  encoding: any,
  timeoutMs: any,
  backend: any,
  signal: any,
};
const get: OptionsOf<GetOptions> = { resume: any, encoding: any };
const list: OptionsOf<ListOptions> = { state: any, limit: any };

/** The position of the options among a call's arguments. */
const CALLS: Readonly<Record<string, { table: OptionTable; at: number }>> = {
  exec: { table: exec, at: 1 },
  get: { table: get, at: 1 },
  list: { table: list, at: 0 },
};

/** The arguments of a call, after checking that each option is known. */
export function shellArguments(name: string, args: readonly unknown[]): unknown[] {
  const call = CALLS[name];
  if (call === undefined || args[call.at] === undefined || isTemplate(args[0])) return [...args];
  return args.with(call.at, checkOptions(call.table, args[call.at], { syscall: name }));
}

/** For a tagged template, values follow, not options. */
function isTemplate(command: unknown): boolean {
  return Array.isArray(command) && "raw" in command;
}
