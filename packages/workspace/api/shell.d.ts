// Made by `npm run api:generate`. Do not edit it.

import {
  ContainerOptions,
  Shell,
  WorkerShellLimits,
  WorkspaceContainer,
  WorkspaceShellHost,
} from "./index.d.ts";

export {
  BackendName,
  BackendProcess,
  Command,
  ContainerFactory,
  ContainerOptions,
  ExecBackend,
  ExecEncoding,
  ExecEvent,
  ExecExit,
  ExecHandle,
  ExecOptions,
  ExecRecord,
  ExecRequest,
  ExecResult,
  ExecState,
  ExposedPort,
  GetOptions,
  ListOptions,
  OutputFile,
  ProcessEvent,
  ProcessExit,
  Shell,
  ShellError,
  ShellErrorCode,
  ShellLimits,
  SignalName,
  SyncReport,
  TemplateValue,
  WorkerShellLimits,
  WorkspaceShellHost,
} from "./index.d.ts";

export function createShell({ volume, worker, ...host }: WorkspaceShellHost): Shell;

export function openContainer(volume: WriteView, options: ContainerOptions): WorkspaceContainer;

export function quoteWord(word: string): string;

export const shellLimits: {
  readonly keptBytes: number;
  readonly spoolFrom: number;
  readonly spoolBytes: number;
  readonly allSpoolBytes: number;
  readonly pageBytes: number;
  readonly pageDelayMs: 1000;
  readonly records: 1000;
  readonly running: 64;
  readonly commandLength: number;
  readonly argvItems: 10000;
  readonly environmentItems: 1000;
  readonly stdinBytes: number;
  readonly timeoutMs: number;
  readonly changedPaths: 1000;
  readonly graceMs: 2000;
  readonly attachAttempts: 4;
  readonly attachPauseMs: 100;
};

export const workerShellLimits: WorkerShellLimits;

export {};
