/**
 * All that a command needs of the machine it runs on. `main` gets one from the process; tests make their own. Output is awaited:
 * a slow reader slows the command instead of filling memory.
 */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the user stands; local paths are relative to it. */
  readonly cwd: string;
  readonly terminal: {
    readonly stdin: boolean;
    readonly stdout: boolean;
    readonly stderr: boolean;
    readonly columns: number;
  };
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => number;
  /** Standard input is a pipe or a file: something that ends. */
  hasInput(): boolean;
  /** Standard input, from where the last reader left it. */
  stdin(): AsyncIterable<Uint8Array>;
  out(data: string | Uint8Array): Promise<void>;
  err(data: string | Uint8Array): Promise<void>;
  /** Called for Ctrl-C and SIGTERM while the result is not disposed; without a listener they end the process. */
  onInterrupt(listener: (signal: "SIGINT" | "SIGTERM") => void): Disposable;
  /** A line that is not shown while it is typed. */
  askSecret(question: string): Promise<string>;
  /** Lines from a terminal, with history; null at its end. */
  lines(): { next(prompt: string): Promise<string | null> } & Disposable;
  /** Runs a program in the foreground, on this terminal; resolves to its exit code. */
  foreground(argv: readonly string[]): Promise<number>;
  openWebSocket(url: string, headers: Record<string, string>): Promise<MessageSocket>;
}

/** Messages as they come; ends when the socket closes, throws when it breaks. */
export interface MessageSocket extends AsyncIterable<string> {
  close(): void;
}
