/** This process as an `Io`. A closed output pipe ends it as SIGPIPE would. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fstatSync } from "node:fs";
import { constants } from "node:os";
import { createInterface } from "node:readline/promises";
import { CliError } from "../src/cli-error.ts";
import type { Io } from "../src/io.ts";

const SIGPIPE = 128 + 13;
const DEFAULT_COLUMNS = 80;

export function processIo(): Io {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(SIGPIPE);
      throw error;
    });
  }
  return {
    env: process.env,
    // npm runs a script in the package's directory and passes the user's directory in INIT_CWD.
    cwd: process.env.npm_lifecycle_event === "cli" ? (process.env.INIT_CWD ?? process.cwd()) : process.cwd(),
    terminal: {
      stdin: process.stdin.isTTY === true,
      stdout: process.stdout.isTTY === true,
      stderr: process.stderr.isTTY === true,
      // A terminal without a size reports 0.
      columns: process.stderr.columns || DEFAULT_COLUMNS,
    },
    fetch: globalThis.fetch,
    now: Date.now,
    hasInput,
    stdin: () => process.stdin as AsyncIterable<Uint8Array>,
    out: (data) => write(process.stdout, data),
    err: (data) => write(process.stderr, data),
    onInterrupt,
    askSecret,
    lines,
    foreground,
    // Only `watch` needs it.
    openWebSocket: async (url, headers) => (await import("./open-web-socket.ts")).openWebSocket(url, headers),
  };
}

function hasInput(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false;
  }
}

async function write(stream: NodeJS.WriteStream, data: string | Uint8Array): Promise<void> {
  if (data.length > 0 && !stream.write(data)) await once(stream, "drain");
}

function onInterrupt(listener: (signal: "SIGINT" | "SIGTERM") => void): Disposable {
  const listeners = (["SIGINT", "SIGTERM"] as const).map((signal) => [signal, () => listener(signal)] as const);
  for (const [signal, each] of listeners) process.on(signal, each);
  return {
    [Symbol.dispose]() {
      for (const [signal, each] of listeners) process.off(signal, each);
    },
  };
}

/** In raw mode the terminal echoes nothing. */
async function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode?.(true);
  let typed = "";
  try {
    for await (const chunk of stdin) {
      for (const character of String(chunk)) {
        if (character === "\r" || character === "\n" || character === "\u0004") return typed;
        if (character === "\u0003") throw new CliError("ABORT_ERR", "interrupted");
        typed = character === "\u007f" || character === "\b" ? typed.slice(0, -1) : typed + character;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode?.(false);
    stderr.write("\n");
    stdin.destroy();
  }
}

function lines(): ReturnType<Io["lines"]> {
  const reader = createInterface({ input: process.stdin, output: process.stdout, historySize: 1000 });
  const closed = once(reader, "close").then(() => null);
  return {
    // Ctrl-C at the prompt discards the line, as in a shell.
    next: (prompt) => {
      const give = new AbortController();
      const interrupted = once(reader, "SIGINT", { signal: give.signal }).then(
        () => {
          process.stdout.write("\n");
          return "";
        },
        () => null,
      );
      // Ctrl-D at the prompt rejects, which ends the lines.
      const answered = reader.question(prompt, { signal: give.signal }).catch(() => null);
      return Promise.race([answered, interrupted, closed]).finally(() => give.abort());
    },
    [Symbol.dispose]: () => reader.close(),
  };
}

/** Ctrl-C belongs to the program while it has the terminal. */
async function foreground([command = "", ...argv]: readonly string[]): Promise<number> {
  using _ = onInterrupt(() => {});
  const child = spawn(command, argv, { stdio: "inherit" });
  const failed = once(child, "error").then(([error]) => {
    throw new CliError((error as NodeJS.ErrnoException).code ?? "ESPAWN", `cannot start ${command}`);
  });
  const [code, signal] = (await Promise.race([once(child, "exit"), failed])) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}
