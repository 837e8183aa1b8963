/** Runs commands in the container: push changes, run, pull changes. Sync problems around a command are in its result. */
import { SYNC_LIMITS } from "@workspace/protocol";
import type { BackendProcess, ExecBackend, ExecRequest, ProcessEvent, ProcessName, SignalName } from "@workspace/shell";
import { SyncReportBuilder } from "../sync/sync-report-builder.ts";
import type { RunningCommand, Syncer } from "../sync/syncer.ts";
import type { ContainerClient } from "./container-client.ts";
import { ContainerError } from "./container-error.ts";
import type { DaemonConnection } from "./daemon-connection.ts";
import { EventBuffer, type ProcessEventSource, processEvents } from "./process-events.ts";

export interface BackendHost {
  link: ContainerClient;
  syncer: Syncer;
  root: string;
}

export function createContainerBackend(host: BackendHost): ExecBackend {
  return {
    name: "container",
    start: (request) => start(host, request),
    attach: (process, afterSeq) => attach(host, process, afterSeq),
  };
}

async function start(host: BackendHost, request: ExecRequest): Promise<BackendProcess> {
  const { link, syncer } = host;
  const cwd = relativeTo(host.root, request.cwd);
  const held = link.lease();
  const command = liveCommand(request);
  try {
    await syncer.pullBeforeStart(command.report);
    await syncer.push(command.report);
    const connection = await link.connect();
    const inbox = new EventBuffer(0);
    inbox.listen(connection, request.id);
    const source = createEventSource(link, connection, request.id);
    // Before it runs: its first changes are attributed to it, whichever sync pulls them.
    syncer.begin(command);
    try {
      await connection.ask("exec", {
        process: request.id,
        command: request.command,
        cwd,
        env: request.env,
        stdin: request.stdin !== null,
        timeoutMs: request.timeoutMs,
      });
    } catch (error) {
      // If the connection broke, it is unknown whether the command runs: it is then found again, or lost. Any other error is a
      // rejection.
      if (!(error instanceof ContainerError) || error.code === "EREMOTE") {
        inbox.close();
        syncer.end(command);
        throw refusal(error);
      }
    }
    syncer.reportLost(command.report, connection, { isLast: true });
    if (request.stdin !== null) void feed(link, request.id, request.stdin);
    return new ContainerProcess(
      host,
      source,
      inbox,
      0,
      command,
      held,
      request.stdin instanceof Uint8Array ? request.stdin.length : 0,
    );
  } catch (error) {
    held[Symbol.dispose]();
    throw error;
  }
}

async function attach(host: BackendHost, process: ProcessName, afterSeq: number): Promise<BackendProcess | null> {
  const { link, syncer } = host;
  const { id } = process;
  const held = link.lease();
  try {
    const connection = await link.connect();
    const inbox = new EventBuffer(afterSeq);
    inbox.listen(connection, id);
    const { header } = await connection.ask("attach", { process: id, afterSeq });
    if (header.found !== true) {
      inbox.close();
      held[Symbol.dispose]();
      return null;
    }
    const command = liveCommand(process);
    syncer.begin(command);
    return new ContainerProcess(host, createEventSource(link, connection, id), inbox, afterSeq, command, held, 0);
  } catch (error) {
    held[Symbol.dispose]();
    throw error;
  }
}

function liveCommand({ id, callId, actor }: ProcessName): RunningCommand {
  return { id, callId, actor, report: new SyncReportBuilder() };
}

function createEventSource(link: ContainerClient, connection: DaemonConnection, id: string): ProcessEventSource {
  return { id, connection, instance: connection.hello.instance, reconnect: () => link.connect() };
}

class ContainerProcess implements BackendProcess {
  readonly events: AsyncIterable<ProcessEvent>;
  readonly #host: BackendHost;
  readonly #id: string;
  #stdinAt: number;

  constructor(
    host: BackendHost,
    source: ProcessEventSource,
    inbox: EventBuffer,
    afterSeq: number,
    command: RunningCommand,
    held: Disposable,
    stdinAt: number,
  ) {
    this.#host = host;
    this.#id = source.id;
    this.#stdinAt = stdinAt;
    this.events = this.#events(source, inbox, afterSeq, command, held);
  }

  async kill(signal: SignalName): Promise<void> {
    await this.#ask("kill", { signal });
  }

  async write(input: Uint8Array): Promise<void> {
    this.#stdinAt = await writeInput(this.#host.link, this.#id, this.#stdinAt, input);
  }

  async closeStdin(): Promise<void> {
    await this.#ask("eof", {});
  }

  async *#events(
    source: ProcessEventSource,
    inbox: EventBuffer,
    afterSeq: number,
    command: RunningCommand,
    held: Disposable,
  ) {
    const { syncer, link } = this.#host;
    try {
      for await (const news of processEvents(source, inbox, afterSeq)) {
        if (news.name !== "exit") {
          yield news;
          continue;
        }
        // The next command's result reports it as well: its reader may not have seen this one.
        if (news.value.state === "lost") syncer.reportLost(command.report, link.present, { isLast: false });
        else await pullAfter(syncer, command, this.#host.root);
        syncer.end(command);
        yield { ...news, value: { ...news.value, sync: command.report.toReport() } };
      }
    } finally {
      syncer.end(command);
      held[Symbol.dispose]();
    }
  }

  async #ask(verb: string, header: object): Promise<void> {
    try {
      const connection = await this.#host.link.connect();
      await connection.ask(verb, { process: this.#id, ...header });
    } catch (error) {
      // It has ended, and the daemon has forgotten it.
      if ((error as ContainerError).remote === "ESRCH") return;
      throw refusal(error);
    }
  }
}

/** The command has ended in any case: what could not be pulled is reported, and still there for the next sync. */
async function pullAfter(syncer: Syncer, command: RunningCommand, root: string): Promise<void> {
  try {
    await syncer.pull(command.report);
  } catch (error) {
    command.report.skip(root, `the changes could not be taken yet: ${(error as Error).message}`);
  }
}

async function feed(link: ContainerClient, id: string, input: Uint8Array | ReadableStream<Uint8Array>): Promise<void> {
  try {
    let at = 0;
    const chunks = input instanceof Uint8Array ? [input] : input;
    for await (const chunk of chunks) at = await writeInput(link, id, at, chunk);
    // Bytes are complete; a stream ends by itself.
    await (await link.connect()).ask("eof", { process: id });
  } catch {
    // It ended without reading its input: its exit code shows that.
  }
}

async function writeInput(link: ContainerClient, id: string, from: number, input: Uint8Array): Promise<number> {
  let at = from;
  for (let i = 0; i < input.length; i += SYNC_LIMITS.inlineBytes) {
    const piece = input.subarray(i, i + SYNC_LIMITS.inlineBytes);
    try {
      await (await link.connect()).ask("stdin", { process: id, at }, piece);
    } catch (error) {
      throw refusal(error);
    }
    at += piece.length;
  }
  return at;
}

/** The daemon's own codes, if callers know them. */
function refusal(error: unknown): unknown {
  if (!(error instanceof ContainerError) || error.code !== "EREMOTE") return error;
  const known = (["ENOENT", "EEXIST", "EINVAL", "EPIPE"] as const).find((code) => code === error.remote);
  const message = error.message.replace(/^EREMOTE: ([A-Z]+: )?/, () => "");
  return known === undefined ? error : new ContainerError(known, message, { cause: error, remote: error.remote });
}

function relativeTo(root: string, cwd: string): string {
  const parts: string[] = [];
  for (const part of cwd.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const path = `/${parts.join("/")}`;
  if (path === root) return "";
  if (root === "/") return path.slice(1);
  if (path.startsWith(`${root}/`)) return path.slice(root.length + 1);
  throw new ContainerError("EINVAL", `cwd "${cwd}" is outside the workspace's root ${root}`);
}
