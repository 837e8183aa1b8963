/** The part of just-bash 3.4 that the Worker's shell uses, with what scripts/bundle-just-bash.mjs adds. */
import type { BashFileSystem } from "../src/worker/bash-file-system.ts";

export interface ExecResult {
  stdout: string;
  stderr: string;
  exitCode: number;
  /** Text by default. "bytes": one character per byte. */
  stdoutKind?: "text" | "bytes";
  /** How much of the output is already counted against the limit. */
  internalOutputAccounting?: { stdout: number; stderr: number };
}

export interface CommandExecOptions {
  cwd: string;
  env?: Record<string, string>;
  replaceEnv?: boolean;
  stdin?: string;
  stdinKind?: "text" | "bytes";
  signal?: AbortSignal;
  args?: string[];
}

declare const byteString: unique symbol;
/** One character per byte. */
export type ByteString = string & { readonly [byteString]: true };

export interface CommandContext {
  fs: BashFileSystem;
  cwd: string;
  env: Map<string, string>;
  exportedEnv?: Record<string, string>;
  stdin: ByteString;
  signal?: AbortSignal;
  exec?: (command: string, options: CommandExecOptions) => Promise<ExecResult>;
  /** just-bash's own command, where ours has its name. */
  origCommand?: (args: string[]) => Promise<ExecResult>;
}

export interface BashCommand {
  name: string;
  execute(args: string[], context: CommandContext): Promise<ExecResult>;
}

export interface BashOptions {
  fs?: BashFileSystem;
  cwd?: string;
  env?: Record<string, string>;
  executionLimits?: Record<string, number>;
  defenseInDepth?: boolean;
  sleep?: (ms: number) => Promise<void>;
  customCommands?: BashCommand[];
}

export interface BashExecOptions {
  rawScript?: boolean;
  stdin?: string;
  stdinKind?: "text" | "bytes";
  signal?: AbortSignal;
  args?: string[];
  emit?: Emit;
}

/** Receives the output of each statement when it ends, and a function that reads its stdout as bytes. Returns what it left. */
export type Emit = (result: ExecResult, latin1: (result: ExecResult) => string) => Promise<ExecResult>;

export declare class Bash {
  constructor(options?: BashOptions);
  /** Called before each command of a pipeline. The function it returns is called after the command. */
  piped?: (isPiped: boolean) => () => void;
  exec(script: string, options?: BashExecOptions): Promise<ExecResult>;
}

/** Where its loops count their work. A WorkBudget has this shape. */
export interface Meter {
  spend(steps: number): void;
  readonly isDue: boolean;
  pause(): Promise<void>;
}

export interface BashModule {
  readonly Bash: typeof Bash;
  readonly defineCommand: (name: string, execute: BashCommand["execute"]) => BashCommand;
  readonly getCommandNames: () => string[];
}

/** A separate instance of the module, whose loops count on this meter. */
export declare function loadBash(meter: Meter): BashModule;
