/** The types are the dependency's own, with the one option that scripts/bundle-just-bash.mjs adds. */
import { Bash as Original, type BashExecResult, type ExecOptions, type ExecResult } from "just-bash/browser";

export { type Command as BashCommand, defineCommand, type ExecResult, getCommandNames, type IFileSystem } from "just-bash/browser";

/** Given what one statement printed, as it is done, and how to read its stdout as bytes; returns it without what it has taken. */
export type Emit = (result: ExecResult, latin1: (result: ExecResult) => string) => ExecResult;

export declare class Bash extends Original {
  /** Awaited before every pipeline when it returns a promise: the way to let timers run. */
  pace?: () => Promise<void> | undefined;
  /** Told of every command of a pipeline whether one stands before it; what it returns is called when the command is done. */
  piped?: (isPiped: boolean) => () => void;
  override exec(script: string, options?: ExecOptions & { emit?: Emit }): Promise<BashExecResult>;
}
