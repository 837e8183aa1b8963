/**
 * The shell in another object. Template values are quoted here, and a command is sent exactly once. Its events are polled from the
 * last one seen: a lost answer is requested again, so no event is lost or duplicated.
 */
import type { WireExec, WireExecEvent, WireExecResult } from "@workspace/protocol";
import type {
  Command,
  ExecEncoding,
  ExecEvent,
  ExecHandle,
  ExecOptions,
  ExecRecord,
  ExecResult,
  ExposedPort,
  GetOptions,
  Output,
  Shell,
  SignalName,
  TemplateValue,
} from "@workspace/shell";
import { ShellError } from "@workspace/shell/errors";
import { isTemplate, quoteTemplate } from "@workspace/shell/quote";
import { shellArguments } from "../shell/shell-options.ts";
import { encodeContent } from "./encode-content.ts";
import { collect } from "./incoming.ts";
import type { PollOptions } from "./remote-watch.ts";
import type { RpcClient } from "./rpc-client.ts";
import { disposedError, WorkspaceRpcError } from "./rpc-error.ts";

type Resume = GetOptions["resume"];

/** Characters are whole within an event: the object ensures that. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false });
const encoder = new TextEncoder();

export function createRemoteShell(connection: RpcClient, policy: PollOptions): Shell {
  const value = async <T>(verb: string, ...args: unknown[]) => (await connection.call(verb, args)).value as T;
  return {
    exec: (async (command: Command | TemplateStringsArray, ...rest: unknown[]) =>
      isTemplate(command)
        ? start(connection, policy, quoteTemplate(command, rest as TemplateValue[]), { encoding: "utf8" })
        : start(
            connection,
            policy,
            command,
            shellArguments("exec", [command, ...rest])[1] as ExecOptions,
          )) as Shell["exec"],
    get: (async (...args: [id: string, options?: GetOptions]) => {
      const [id, { encoding, resume = "full" } = {}] = shellArguments("get", args) as typeof args;
      const exec = await value<WireExec>("shellGet", id);
      return new RemoteExec(connection, policy, exec, checkEncoding(encoding), resume);
    }) as Shell["get"],
    list: async (...args) => value<ExecRecord[]>("shellList", ...shellArguments("list", args)),
    remove: (id) => value<void>("shellRemove", id),
    ready: () => value<void>("shellReady"),
    exposePort: (port) => value<ExposedPort>("shellExposePort", port),
    unexposePort: (port) => value<void>("shellUnexposePort", port),
    ports: () => value<ExposedPort[]>("shellPorts"),
  };
}

async function start(
  connection: RpcClient,
  policy: PollOptions,
  command: Command,
  { encoding, stdin, signal, ...options }: ExecOptions = {},
): Promise<ExecHandle> {
  const wanted = checkEncoding(encoding);
  signal?.throwIfAborted();
  const text = typeof stdin === "string" ? encoder.encode(stdin) : stdin;
  const { sent, body } = text === undefined ? {} : encodeContent(text, { path: "stdin" });
  const words = typeof command === "string" ? command : [...command];
  const extra = body === undefined ? {} : { body };
  const { value } = await connection.call("shellExec", [words, { ...options, stdin: sent }], extra);
  const handle = new RemoteExec(connection, policy, value as WireExec, wanted, "full");
  if (signal !== undefined) handle.killOn(signal);
  return handle;
}

function checkEncoding(encoding: unknown): ExecEncoding {
  if (encoding === undefined) return "bytes";
  if (encoding === "utf8" || encoding === "bytes") return encoding;
  throw new ShellError("EINVAL", 'encoding is "utf8" or "bytes"');
}

class RemoteExec<Encoding extends ExecEncoding> implements ExecHandle<Encoding> {
  readonly id: string;
  readonly callId: string;
  readonly ranOn: ExecHandle["ranOn"];
  readonly #connection: RpcClient;
  readonly #policy: PollOptions;
  readonly #encoding: Encoding;
  readonly #events: AsyncGenerator<ExecEvent<Encoding>>;
  readonly #left = Promise.withResolvers<never>();
  readonly #held: Disposable = { [Symbol.dispose]: () => this.#leave() };
  #unlisten = () => {};
  #open = true;

  constructor(connection: RpcClient, policy: PollOptions, exec: WireExec, encoding: Encoding, resume: Resume) {
    this.id = exec.id;
    this.callId = exec.callId;
    this.ranOn = exec.ranOn;
    this.#connection = connection;
    this.#policy = policy;
    this.#encoding = encoding;
    this.#left.promise.catch(() => {});
    this.#events = this.#follow(resume);
    connection.keep(this.#held);
  }

  [Symbol.asyncIterator](): AsyncGenerator<ExecEvent<Encoding>> {
    return this.#events;
  }

  async result(): Promise<ExecResult<Encoding>> {
    for (;;) {
      const { value, stream } = await this.#ask("shellResult", [this.id, this.#policy.waitMs, this.#encoding]);
      if (value === null) continue;
      const { stdoutSize, stderrSize, stdout, stderr, ...rest } = value as WireExecResult;
      const both = stream && (await collect(this.#connection, "shellResult", stream, stdoutSize + stderrSize));
      const output = (inline: Uint8Array | undefined, start: number, end: number) =>
        this.#text(both?.subarray(start, end) ?? (inline as Uint8Array));
      this.#unlisten();
      return {
        ...(rest as unknown as ExecResult<Encoding>),
        stdout: output(stdout, 0, stdoutSize),
        stderr: output(stderr, stdoutSize, stdoutSize + stderrSize),
      };
    }
  }

  async kill(signal: SignalName = "SIGTERM"): Promise<void> {
    await this.#connection.call("shellKill", [this.id, signal]);
  }

  async write(input: string | Uint8Array): Promise<void> {
    await this.#connection.call("shellWrite", [this.id, typeof input === "string" ? encoder.encode(input) : input]);
  }

  async closeStdin(): Promise<void> {
    await this.#connection.call("shellCloseStdin", [this.id]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave();
  }

  /** A signal does not cross RPC: a kill does. */
  killOn(signal: AbortSignal): void {
    const kill = () => {
      this.kill("SIGTERM").catch(() => {});
    };
    this.#unlisten = () => signal.removeEventListener("abort", kill);
    if (signal.aborted) kill();
    else signal.addEventListener("abort", kill);
  }

  async *#follow(resume: Resume): AsyncGenerator<ExecEvent<Encoding>> {
    let after = resume;
    while (this.#open) {
      const { value } = await this.#ask("shellEvents", [this.id, after, this.#policy.waitMs]);
      for (const event of value as WireExecEvent[]) {
        if (!this.#open) return;
        after = event.seq;
        if (event.name === "exit") {
          yield { id: this.id, seq: event.seq, name: "exit", value: event.value as never };
          return;
        }
        yield { id: this.id, seq: event.seq, name: event.name, value: this.#text(event.value) };
      }
    }
  }

  /**
   * Retries a read after transport errors, with exponential backoff, at most `attempts` times. Never used for commands: they must
   * not run twice.
   */
  async #ask(verb: string, args: unknown[]): ReturnType<RpcClient["call"]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await Promise.race([this.#connection.call(verb, args), this.#left.promise]);
      } catch (error) {
        const lost = error instanceof WorkspaceRpcError && error.code === "ERR_WORKSPACE_TRANSPORT";
        if (!lost || attempt >= this.#policy.attempts) throw error;
        await new Promise((resolve) => setTimeout(resolve, this.#policy.pauseMs * 2 ** (attempt - 1)));
      }
    }
  }

  #text(bytes: Uint8Array): Output<Encoding> {
    return (this.#encoding === "utf8" ? decoder.decode(bytes) : bytes) as Output<Encoding>;
  }

  /** The process continues; this client stops following it. */
  #leave(): void {
    this.#open = false;
    this.#unlisten();
    this.#left.reject(disposedError("exec"));
    this.#connection.drop(this.#held);
  }
}
