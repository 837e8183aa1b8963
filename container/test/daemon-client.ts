/** `workspaced` as a plain process and a bare client of it, for tests that send what no workspace sends. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { decodeMessage, encodeMessage, type Message } from "@workspace/protocol";
import { WebSocket } from "ws";
import { buildDaemon } from "../build.mjs";

export const SECRET = "a secret of enough characters";

export class TestDaemon implements AsyncDisposable {
  readonly root: string;
  readonly port: number;
  readonly child: ChildProcess;

  private constructor(root: string, port: number, child: ChildProcess) {
    this.root = root;
    this.port = port;
    this.child = child;
  }

  static async start({ uid }: { uid?: number } = {}): Promise<TestDaemon> {
    const base = mkdtempSync(join(tmpdir(), "workspaced-"));
    chmodSync(base, 0o755);
    const root = join(base, "root");
    mkdirSync(root);
    const outfile = join(base, "workspaced.mjs");
    await buildDaemon({ outfile });
    const flags = uid === undefined ? [] : ["--uid", String(uid)];
    const child = spawn(process.execPath, [outfile, "--claim", "--root", root, "--port", "0", ...flags], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { PATH: process.env.PATH ?? "", DAEMON_ONLY: "must not be seen" },
    });
    const port = await new Promise<number>((resolve, reject) => {
      let reported = "";
      child.stdout?.on("data", (bytes) => {
        reported += String(bytes);
        const match = /listens on 127\.0\.0\.1:(\d+)/.exec(reported);
        if (match !== null) resolve(Number(match[1]));
      });
      child.once("exit", (code) => reject(new Error(`exit ${code}: ${reported}`)));
    });
    return new TestDaemon(root, port, child);
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async connect(secret: string = SECRET, protocol?: number): Promise<Client> {
    const client = await Client.open(this.port);
    await client.ask("hello", { secret, protocol });
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    if (this.alive) {
      this.child.kill("SIGTERM");
      await ended;
    }
    rmSync(dirname(this.root), { recursive: true, force: true });
  }
}

export class Client implements Disposable {
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
  readonly output: string[] = [];
  #nextId = 1;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #exits = new Map<string, (exit: unknown) => void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.on("message", (data: Uint8Array) => {
      const message = decodeMessage(new Uint8Array(data));
      if (message.header.event === "exec") return this.#onExecEvent(message);
      this.#waiting.get(message.header.re as number)?.(message);
    });
  }

  static async open(port: number): Promise<Client> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/connect`);
    const client = new Client(socket);
    await new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    return client;
  }

  /** What the daemon answers; a fault is an error with its code, a closed connection one with `closed`. */
  async ask(verb: string, header: object = {}, body?: Uint8Array): Promise<Message> {
    const id = this.#nextId++;
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.socket.send(encodeMessage({ ...header, id, verb }, body));
    const message = await Promise.race([answer, this.closed]);
    if (typeof message === "number") throw Object.assign(new Error(`closed ${message}`), { closed: message });
    const fault = message.header.fault as { code: string; message: string } | undefined;
    if (fault !== undefined) throw Object.assign(new Error(fault.message), { code: fault.code });
    return message;
  }

  /** Runs a command to its end and returns what it printed. */
  async run(process: string, command: string): Promise<string> {
    this.output.length = 0;
    const ended = new Promise((resolve) => this.#exits.set(process, resolve));
    await this.ask("exec", { process, command, cwd: "", env: {}, timeoutMs: 0 });
    await ended;
    return this.output.join("");
  }

  [Symbol.dispose](): void {
    this.socket.terminate();
  }

  #onExecEvent({ header, body }: Message): void {
    if (header.name === "exit") this.#exits.get(header.process as string)?.(header.exit);
    else this.output.push(new TextDecoder().decode(body));
  }
}
