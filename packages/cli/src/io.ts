/**
 * Everything a command needs from its machine. `main` gets one from the process; tests create their own. Output is awaited: a slow
 * reader slows the command instead of filling memory.
 */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's working directory; local paths are relative to it. */
  readonly cwd: string;
  readonly terminal: {
    readonly stdin: boolean;
    readonly stdout: boolean;
    readonly stderr: boolean;
    readonly columns: number;
  };
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => number;
  /** Whether standard input is a pipe or a file, and so ends. */
  hasInput(): boolean;
  /** Standard input, from the last reader's position. */
  stdin(): AsyncIterable<Uint8Array>;
  out(data: string | Uint8Array): Promise<void>;
  err(data: string | Uint8Array): Promise<void>;
  /** Called for Ctrl-C and SIGTERM until the result is disposed; without a listener they end the process. */
  onInterrupt(listener: (signal: "SIGINT" | "SIGTERM") => void): Disposable;
  /** Reads a line without echo. */
  askSecret(question: string): Promise<string>;
  /** Reads lines from a terminal, with history; null at the end. */
  lines(): { next(prompt: string): Promise<string | null> } & Disposable;
  /** Runs a program in the foreground, on this terminal; resolves to its exit code. */
  foreground(argv: readonly string[]): Promise<number>;
  openWebSocket(url: string, headers: Record<string, string>): Promise<MessageSocket>;
}

/** Messages as they arrive; ends when the socket closes, throws when it breaks. */
export interface MessageSocket extends AsyncIterable<string> {
  close(): void;
}
