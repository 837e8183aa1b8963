/**
 * Real daemons for tests in workerd: starts `workspaced` as a plain process on a directory of its own, behind a TCP proxy that can be
 * cut, and works on that directory as a command would. `POST { op, … }`; what goes wrong is answered with 500 and the message.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { buildDaemon } from "../../../container/build.mjs";
import { describeContent } from "./describe-content.ts";

export interface DaemonRequest {
  op: "start" | "stop" | "restart" | "cut" | "do" | "tree" | "processes" | "kill" | "disturb" | "throttle" | "traffic";
  id?: string;
  /** With `start`: run commands as another user. */
  uid?: number;
  /** With `start`: the daemon has a secret from its start, as `npm run daemon:dev` has; nothing can be cut then. */
  secret?: boolean;
  /** With `cut`: how many bytes still pass, in either direction, before connections are cut; absent: now. */
  after?: number;
  /** With `throttle`: bytes a second, in each direction. */
  rate?: number;
  actions?: FileAction[];
  /** With `do`: answer how each file began before and after. */
  notify?: boolean;
  /** With `kill`: of the program. */
  name?: string;
  /** With `disturb`: the disk is full, the clock is so many milliseconds off, or the stopwatch has stopped. */
  full?: boolean;
  jump?: number;
  stopped?: boolean;
}

/** What a command might do, as Node's calls. `bytes` is base64. */
export type FileAction =
  | { do: "write"; path: string; bytes: string; mode?: number; mtime?: number }
  /** An empty file in the root whose name is these bytes. */
  | { do: "raw"; name: string }
  | { do: "mkdir" | "rm"; path: string }
  | { do: "rename"; path: string; to: string }
  | { do: "link" | "symlink"; path: string; target: string }
  | { do: "chmod"; path: string; mode: number };

/** `type mode size-or-target sha`, by path. */
export type TreeListing = Record<string, string>;

interface RunningDaemon {
  id: string;
  root: string;
  child: ChildProcess;
  port: number;
  proxy: Server;
  sockets: Set<Socket>;
  allowance: number;
  rate: number;
  /** Bytes that went by since they were last asked for. */
  traffic: { up: number; down: number };
  uid: number | undefined;
  /** Of the daemon, when it has one from its start. */
  secret: string | undefined;
}

const daemons = new Map<string, RunningDaemon>();
let bundle: Promise<string> | undefined;
let base: string | undefined;
let count = 0;

export async function daemonService(request: Request): Promise<Response> {
  try {
    return Response.json(await perform((await request.json()) as DaemonRequest));
  } catch (error) {
    return new Response((error as Error).stack ?? String(error), { status: 500 });
  }
}

async function perform(request: DaemonRequest): Promise<unknown> {
  if (request.op === "start") return start(request);
  const daemon = daemons.get(request.id ?? "");
  if (daemon === undefined) throw new Error(`no daemon ${request.id}`);
  switch (request.op) {
    case "stop":
      return stop(daemon);
    case "restart":
      daemon.child.kill("SIGKILL");
      cut(daemon);
      ({ child: daemon.child, port: daemon.port } = await launch(daemon.root, daemon));
      return {};
    case "cut":
      if (request.after === undefined) cut(daemon);
      else daemon.allowance = request.after;
      return {};
    case "do":
      return workOn(daemon, request);
    case "tree":
      return stillTree(daemon.root);
    case "disturb":
      daemon.child.send({ full: request.full, jump: request.jump, stopped: request.stopped });
      await new Promise((resolve) => daemon.child.once("message", resolve));
      return {};
    case "throttle":
      daemon.rate = request.rate ?? Number.POSITIVE_INFINITY;
      return {};
    case "traffic": {
      const { traffic } = daemon;
      daemon.traffic = { up: 0, down: 0 };
      return traffic;
    }
    case "processes":
      return processesIn(daemon.root).map(({ line }) => line);
    case "kill": {
      const found = processesIn(daemon.root).filter(({ line }) => line.split(" ")[0] === request.name);
      for (const { pid } of found) process.kill(pid, "SIGKILL");
      return found.length;
    }
    default:
      throw new Error(`no op ${request.op}`);
  }
}

export interface StartedDaemon {
  id: string;
  root: string;
  address: string;
  secret?: string;
}

async function start({ uid, secret: withSecret }: DaemonRequest): Promise<StartedDaemon> {
  if (base === undefined) {
    const home = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
    const created = mkdtempSync(join(home, "workspace-daemon-"));
    chmodSync(created, 0o755);
    process.on("exit", () => {
      for (const { child } of daemons.values()) child.kill("SIGKILL");
      rmSync(created, { recursive: true, force: true });
    });
    base = created;
  }
  const id = `daemon${++count}`;
  const root = join(base, id, "root");
  mkdirSync(root, { recursive: true });
  const { child, port } = await launch(root, { uid, secret: withSecret });
  const secret = withSecret ? readFileSync(`${root}.secret`, "utf8").trim() : undefined;
  const daemon: RunningDaemon = {
    id,
    root,
    child,
    port,
    proxy: createServer(),
    sockets: new Set(),
    allowance: Number.POSITIVE_INFINITY,
    rate: Number.POSITIVE_INFINITY,
    traffic: { up: 0, down: 0 },
    uid,
    secret,
  };
  daemon.proxy.on("connection", (client) => relay(daemon, client));
  await new Promise<void>((resolve) => daemon.proxy.listen(0, "127.0.0.1", resolve));
  daemons.set(id, daemon);
  // A daemon with a secret answers under its own address alone.
  const { port: open } = withSecret ? { port } : (daemon.proxy.address() as { port: number });
  return { id, root, address: `127.0.0.1:${open}`, secret };
}

async function launch(
  root: string,
  { uid, secret }: { uid: number | undefined; secret: unknown },
): Promise<{ child: ChildProcess; port: number }> {
  bundle ??= buildDaemon({
    entry: new URL("./faulty-daemon.ts", import.meta.url).pathname,
    outfile: join(base as string, "workspaced.mjs"),
  });
  const flags = [...(secret ? [] : ["--claim"]), ...(uid === undefined ? [] : ["--uid", String(uid)])];
  const child = spawn(process.execPath, [await bundle, "--root", root, "--port", "0", ...flags], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    env: { PATH: `${dirname(rgPath)}:${process.env.PATH ?? ""}`, DAEMON_ONLY: "must not be seen" },
  });
  const port = await new Promise<number>((resolve, reject) => {
    let reported = "";
    child.stdout?.on("data", (bytes: Buffer) => {
      reported += bytes.toString();
      const match = /listens on 127\.0\.0\.1:(\d+)/.exec(reported);
      if (match !== null) resolve(Number(match[1]));
    });
    child.once("exit", (code) => reject(new Error(`workspaced exited with ${code}: ${reported}`)));
  });
  return { child, port };
}

function relay(daemon: RunningDaemon, client: Socket): void {
  const upstream = connect(daemon.port, "127.0.0.1");
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    daemon.sockets.add(from);
    from.setNoDelay(true);
    from.on("data", (bytes) => {
      if (bytes.length > daemon.allowance) {
        // Half a frame gets through, and then nothing: what arrives before the cut must not follow it.
        from.pause();
        to.write(bytes.subarray(0, daemon.allowance), () => cut(daemon));
        return;
      }
      daemon.allowance -= bytes.length;
      daemon.traffic[from === client ? "up" : "down"] += bytes.length;
      if (daemon.rate < Number.POSITIVE_INFINITY) {
        from.pause();
        const arrive = () => {
          if (to.writable) to.write(bytes);
          from.resume();
        };
        return void setTimeout(arrive, (bytes.length * 1000) / daemon.rate);
      }
      if (!to.write(bytes)) {
        from.pause();
        to.once("drain", () => from.resume());
      }
    });
    from.on("end", () => to.end());
    from.on("error", () => to.destroy());
    from.on("close", () => {
      daemon.sockets.delete(from);
      to.destroy();
    });
  }
}

function cut(daemon: RunningDaemon): void {
  daemon.allowance = Number.POSITIVE_INFINITY;
  for (const socket of daemon.sockets) socket.destroy();
  daemon.sockets.clear();
}

async function stop(daemon: RunningDaemon): Promise<object> {
  daemons.delete(daemon.id);
  cut(daemon);
  daemon.proxy.close();
  const { child } = daemon;
  // A daemon that has exited already emits no second "exit": waiting for one would hide the test's own error behind a timeout.
  const crashed = child.exitCode ?? child.signalCode;
  if (crashed === null) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
  rmSync(dirname(daemon.root), { recursive: true, force: true });
  if (crashed !== null) throw new Error(`workspaced ended before its test: ${crashed}`);
  return {};
}

function workOn(
  daemon: RunningDaemon,
  { actions = [], notify = false }: DaemonRequest,
): { before?: TreeListing; after?: TreeListing } {
  const before = notify ? stillTree(daemon.root, describeStart) : undefined;
  for (const action of actions) performAction(daemon, action);
  return notify ? { before, after: stillTree(daemon.root, describeStart) } : {};
}

function performAction({ root }: RunningDaemon, action: FileAction): void {
  if (action.do === "raw")
    return writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(action.name, "base64")]), "");
  const path = join(root, action.path);
  switch (action.do) {
    case "write":
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, Buffer.from(action.bytes, "base64"));
      if (action.mode !== undefined) chmodSync(path, action.mode);
      if (action.mtime !== undefined) utimesSync(path, action.mtime, action.mtime);
      return;
    case "mkdir":
      return void mkdirSync(path, { recursive: true });
    case "rm":
      return rmSync(path, { recursive: true, force: true });
    case "rename":
      return renameSync(path, join(root, action.to));
    case "link":
      return linkSync(join(root, action.target), path);
    case "symlink":
      return symlinkSync(action.target, path);
    case "chmod":
      return chmodSync(path, action.mode);
    default:
      action satisfies never;
  }
}

/** The daemon may be at work in it: then it is read again. */
function stillTree(root: string, describe: Describe = describeWhole): TreeListing {
  for (let tries = 0; ; tries++) {
    try {
      return treeOf(root, describe);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === 20) throw error;
    }
  }
}

type Describe = (file: string) => string;

const describeWhole: Describe = (file) => describeContent(readFileSync(file));
/** Enough to know which write it is of. */
const START = 64;

const describeStart: Describe = (file) => {
  const fd = openSync(file, "r");
  try {
    const start = Buffer.alloc(START);
    return start.subarray(0, readSync(fd, start, 0, START, 0)).toString("base64");
  } finally {
    closeSync(fd);
  }
};

function treeOf(root: string, describe: Describe, prefix = "", tree: TreeListing = {}): TreeListing {
  for (const entry of readdirSync(join(root, prefix), { withFileTypes: true })) {
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    const full = join(root, path);
    const mode = (lstatSync(full).mode & 0o7777).toString(8);
    if (entry.isDirectory()) {
      tree[path] = `dir ${mode}`;
      treeOf(root, describe, path, tree);
    } else if (entry.isSymbolicLink()) tree[path] = `symlink ${readlinkSync(full)}`;
    else if (entry.isFile()) tree[path] = `file ${mode} ${describe(full)}`;
  }
  return tree;
}

/** Processes whose environment names this root. */
function processesIn(root: string): { pid: number; line: string }[] {
  const found: { pid: number; line: string }[] = [];
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(`WORKSPACE_ROOT=${root}\0`)) continue;
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
      if (line !== "") found.push({ pid: Number(pid), line });
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}
