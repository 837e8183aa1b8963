/**
 * A workspace as a sandbox of the AI SDK: `generateText({ experimental_sandbox: asSandboxSession(workspace), … })`. Commands run on the
 * container of the workspace, or in the Worker without one.
 */
import type { ExecHandle, Shell } from "@workspace/shell";
import type { FileSystem, TextEncodingName } from "@workspace/vfs";

export interface SandboxSource {
  readonly fs: FileSystem;
  readonly shell: Shell;
}

export interface SandboxOptions {
  /** Where relative paths and commands start; default "/workspace". */
  workingDirectory?: string;
  /** For the model's instructions. */
  description?: string;
}

interface OfPath {
  path: string;
  abortSignal?: AbortSignal;
}

export interface SandboxCommand {
  command: string;
  workingDirectory?: string;
  env?: Record<string, string>;
  abortSignal?: AbortSignal;
}

export interface SandboxProcess {
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  wait(): Promise<{ exitCode: number }>;
  kill(): Promise<void>;
}

export type WritableSandboxProcess = SandboxProcess & { readonly stdin: WritableStream<Uint8Array> };

/** `Experimental_SandboxSession` of `ai`. */
export interface SandboxSession {
  readonly description: string;
  readonly readFile: (options: OfPath) => Promise<ReadableStream<Uint8Array> | null>;
  readonly readBinaryFile: (options: OfPath) => Promise<Uint8Array | null>;
  readonly readTextFile: (
    options: OfPath & { encoding?: string; startLine?: number; endLine?: number },
  ) => Promise<string | null>;
  readonly writeFile: (options: OfPath & { content: ReadableStream<Uint8Array> }) => Promise<void>;
  readonly writeBinaryFile: (options: OfPath & { content: Uint8Array }) => Promise<void>;
  readonly writeTextFile: (options: OfPath & { content: string; encoding?: string }) => Promise<void>;
  readonly stat: (options: OfPath) => Promise<{ type: "file" | "directory" | "other"; size: number } | null>;
  readonly listDirectory: (
    options: OfPath,
  ) => Promise<{ name: string; type: "file" | "directory" | "symlink" | "other" }[] | null>;
  readonly deleteFile: (options: OfPath) => Promise<boolean>;
  readonly spawn: {
    (options: SandboxCommand & { stdin: true }): Promise<WritableSandboxProcess>;
    (options: SandboxCommand & { stdin?: false }): Promise<SandboxProcess>;
    (options: SandboxCommand & { stdin?: boolean }): Promise<SandboxProcess | WritableSandboxProcess>;
  };
  readonly run: (options: SandboxCommand) => Promise<{ exitCode: number; stdout: string; stderr: string }>;
}

/** As a shell reports SIGTERM. */
const KILLED_BEFORE_START = 128 + 15;

export function asSandboxSession(
  { fs, shell }: SandboxSource,
  {
    workingDirectory: cwd = "/workspace",
    description = `A workspace with bash and git. Files are in ${cwd}.`,
  }: SandboxOptions = {},
): SandboxSession {
  const resolve = (path: string) => (path.startsWith("/") ? path : `${cwd}/${path}`);
  const start = (
    { command, workingDirectory, env, abortSignal }: SandboxCommand,
    stdin?: ReadableStream<Uint8Array>,
  ) => {
    abortSignal?.throwIfAborted();
    return shell.exec(command, { cwd: resolve(workingDirectory ?? cwd), env, stdin, signal: abortSignal });
  };
  const put = async (
    { path, abortSignal: signal }: OfPath,
    content: string | Uint8Array | ReadableStream<Uint8Array>,
    encoding?: string,
  ) => {
    signal?.throwIfAborted();
    const target = resolve(path);
    await fs.mkdir(target.slice(0, target.lastIndexOf("/")) || "/", { recursive: true });
    await fs.writeFile(target, content, { signal, encoding: encoding as TextEncodingName });
  };
  const spawn = async ({ stdin, ...command }: SandboxCommand & { stdin?: boolean }) => {
    if (!stdin) return processOf(Promise.resolve(await start(command)));
    const input = new PendingInput();
    // The shell in a Worker starts a command when it has the whole of its input: the handle is available after the process is
    // returned.
    const process = processOf(start(command, input.readable));
    let killed = false;
    const kill = async () => {
      killed = true;
      input.fail();
      await process.kill();
    };
    const wait = () =>
      process.wait().catch((error: unknown) => {
        if (killed) return { exitCode: KILLED_BEFORE_START };
        throw error;
      });
    return { ...process, kill, wait, stdin: input.writable };
  };
  return {
    description,
    readFile: ({ path, abortSignal }) => {
      abortSignal?.throwIfAborted();
      return orNull(fs.readStream(resolve(path)));
    },
    readBinaryFile: ({ path, abortSignal: signal }) => orNull(fs.readFile(resolve(path), { signal })),
    async readTextFile({ path, encoding = "utf-8", startLine, endLine, abortSignal: signal }) {
      const text = await orNull(fs.readFile(resolve(path), { encoding: encoding as TextEncodingName, signal }));
      return text === null ? null : linesOf(text, startLine, endLine);
    },
    writeFile: (options) => put(options, options.content),
    writeBinaryFile: (options) => put(options, options.content),
    writeTextFile: (options) => put(options, options.content, options.encoding ?? "utf-8"),
    async stat({ path }) {
      const stat = await orNull(fs.stat(resolve(path)));
      return stat === null ? null : { type: stat.isDirectory() ? "directory" : "file", size: stat.size };
    },
    async listDirectory({ path }) {
      const entries = await orNull(fs.readdir(resolve(path), { withFileTypes: true }));
      return entries?.map(({ name, type }) => ({ name, type: type === "dir" ? "directory" : type })) ?? null;
    },
    deleteFile: async ({ path }) => (await orNull(fs.unlink(resolve(path)).then(() => true))) ?? false,
    spawn: spawn as SandboxSession["spawn"],
    async run(command) {
      const { exitCode, reason, stdout, stderr } = await (await start(command)).result();
      return { exitCode: known(exitCode, reason), stdout: decode(stdout), stderr: decode(stderr) };
    },
  };
}

/** Standard input that can be ended from this side, whichever side holds its ends. */
class PendingInput {
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  readonly readable = new ReadableStream<Uint8Array>({ start: (controller) => void (this.#controller = controller) });
  readonly writable = new WritableStream<Uint8Array>({
    write: (chunk) => this.#controller.enqueue(chunk),
    close: () => this.#controller.close(),
    abort: (reason) => this.#controller.error(reason),
  });

  /** No effect after it has ended. */
  fail(): void {
    this.#controller.error(new Error("the process was killed"));
  }
}

/** Splits one sequence of events into two streams. The shell bounds the output of a command. */
function processOf(started: Promise<ExecHandle<"bytes">>): SandboxProcess {
  const open = new Map<"stdout" | "stderr", ReadableStreamDefaultController<Uint8Array>>();
  const streamOf = (name: "stdout" | "stderr") =>
    new ReadableStream<Uint8Array>({
      start: (controller) => void open.set(name, controller),
      // A reader that cancels one stream still gets the other.
      cancel: () => void open.delete(name),
    });
  const [stdout, stderr] = [streamOf("stdout"), streamOf("stderr")];
  const pump = async () => {
    for await (const event of await started) if (event.name !== "exit") open.get(event.name)?.enqueue(event.value);
    for (const controller of open.values()) controller.close();
  };
  pump().catch((error: unknown) => {
    for (const controller of open.values()) controller.error(error);
  });
  return {
    stdout,
    stderr,
    async wait() {
      const { exitCode, reason } = await (await started).result();
      return { exitCode: known(exitCode, reason) };
    },
    kill: () =>
      started.then(
        (handle) => handle.kill(),
        // It never ran; `wait` throws the reason.
        () => {},
      ),
  };
}

/** A command whose end was not observed has no exit code, and none is invented. */
function known(exitCode: number | null, reason = "the command was lost"): number {
  if (exitCode === null) throw new Error(reason);
  return exitCode;
}

/** As the AI SDK's `extractLines`: the file's own line ending, both ends inclusive. */
function linesOf(text: string, startLine?: number, endLine?: number): string {
  if (startLine === undefined && endLine === undefined) return text;
  const ending = ["\r\n", "\n", "\r"].find((each) => text.includes(each)) ?? "\n";
  return text
    .split(ending)
    .slice(Math.max(1, startLine ?? 1) - 1, endLine)
    .join(ending);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}
