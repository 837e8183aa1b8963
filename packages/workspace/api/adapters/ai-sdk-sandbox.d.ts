// Made by `npm run api:generate`. Do not edit it.

import {
  FileSystem,
  Shell,
} from "../index.d.ts";

export interface NetworkSandboxSession extends SandboxSession {
  readonly id: string;
  readonly defaultWorkingDirectory: string;
  readonly ports: readonly number[];
  readonly getPortEndpoint: (options: PortOptions) => Promise<{
    url: string;
  }>;
  readonly getPortUrl: (options: PortOptions) => Promise<string>;
  readonly setPorts: (ports: readonly number[]) => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly destroy: () => Promise<void>;
  readonly restricted: () => SandboxSession;
}

export interface SandboxCommand {
  command: string;
  workingDirectory?: string;
  env?: Record<string, string>;
  abortSignal?: AbortSignal;
}

export interface SandboxOptions {
  workingDirectory?: string;
  description?: string;
}

export interface SandboxProcess {
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  wait(): Promise<{
    exitCode: number;
  }>;
  kill(): Promise<void>;
}

export interface SandboxProvider {
  readonly specificationVersion: "harness-sandbox-v1";
  readonly providerId: string;
  readonly createSession: (options?: {
    sessionId?: string;
    abortSignal?: AbortSignal;
    identity?: string;
    onFirstCreate?: (session: SandboxSession, options: {
      abortSignal?: AbortSignal;
    }) => Promise<void>;
  }) => Promise<NetworkSandboxSession>;
  readonly resumeSession: (options: {
    sessionId: string;
    abortSignal?: AbortSignal;
  }) => Promise<NetworkSandboxSession>;
}

export interface SandboxProviderOptions extends SandboxOptions {
  open(sessionId: string): SandboxSource | Promise<SandboxSource>;
  destroy?(sessionId: string): Promise<void>;
}

export interface SandboxSession {
  readonly description: string;
  readonly readFile: (options: OfPath) => Promise<ReadableStream<Uint8Array> | null>;
  readonly readBinaryFile: (options: OfPath) => Promise<Uint8Array | null>;
  readonly readTextFile: (options: OfPath & {
    encoding?: string;
    startLine?: number;
    endLine?: number;
  }) => Promise<string | null>;
  readonly writeFile: (options: OfPath & {
    content: ReadableStream<Uint8Array>;
  }) => Promise<void>;
  readonly writeBinaryFile: (options: OfPath & {
    content: Uint8Array;
  }) => Promise<void>;
  readonly writeTextFile: (options: OfPath & {
    content: string;
    encoding?: string;
  }) => Promise<void>;
  readonly stat: (options: OfPath) => Promise<{
    type: "file" | "directory" | "other";
    size: number;
  } | null>;
  readonly listDirectory: (options: OfPath) => Promise<{
    name: string;
    type: "file" | "directory" | "symlink" | "other";
  }[] | null>;
  readonly deleteFile: (options: OfPath) => Promise<boolean>;
  readonly spawn: {
    (options: SandboxCommand & {
      stdin: true;
    }): Promise<WritableSandboxProcess>;
    (options: SandboxCommand & {
      stdin?: false;
    }): Promise<SandboxProcess>;
    (options: SandboxCommand & {
      stdin?: boolean;
    }): Promise<SandboxProcess | WritableSandboxProcess>;
  };
  readonly run: (options: SandboxCommand) => Promise<{
    exitCode: number;
    stdout: string;
    stderr: string;
  }>;
}

export interface SandboxSource {
  readonly fs: FileSystem;
  readonly shell: Shell;
}

export type WritableSandboxProcess = SandboxProcess & {
  readonly stdin: WritableStream<Uint8Array>;
};

export function asSandboxSession({ fs, shell }: SandboxSource, { workingDirectory: cwd, description }?: SandboxOptions): SandboxSession;

export function createSandboxProvider({ open, destroy, ...options }: SandboxProviderOptions): SandboxProvider;

// Not exported; the declarations above refer to them.

interface OfPath {
  path: string;
  abortSignal?: AbortSignal;
}

interface PortOptions {
  port: number;
  protocol?: "http" | "https" | "ws";
}

export {};
