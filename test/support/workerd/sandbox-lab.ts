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

export interface LabRequest {
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
  deeds?: FileAction[];
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
export type LabTree = Record<string, string>;

interface DaemonFixture {
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

const labs = new Map<string, DaemonFixture>();
let bundle: Promise<string> | undefined;
let base: string | undefined;
let count = 0;

export async function sandboxLab(request: Request): Promise<Response> {
  try {
    return Response.json(await perform((await request.json()) as LabRequest));
  } catch (error) {
    return new Response((error as Error).stack ?? String(error), { status: 500 });
  }
}

async function perform(request: LabRequest): Promise<unknown> {
  if (request.op === "start") return start(request);
  const lab = labs.get(request.id ?? "");
  if (lab === undefined) throw new Error(`no lab ${request.id}`);
  switch (request.op) {
    case "stop":
      return stop(lab);
    case "restart":
      lab.child.kill("SIGKILL");
      cut(lab);
      ({ child: lab.child, port: lab.port } = await launch(lab.root, lab));
      return {};
    case "cut":
      if (request.after === undefined) cut(lab);
      else lab.allowance = request.after;
      return {};
    case "do":
      return workOn(lab, request);
    case "tree":
      return stillTree(lab.root);
    case "disturb":
      lab.child.send({ full: request.full, jump: request.jump, stopped: request.stopped });
      await new Promise((resolve) => lab.child.once("message", resolve));
      return {};
    case "throttle":
      lab.rate = request.rate ?? Number.POSITIVE_INFINITY;
      return {};
    case "traffic": {
      const { traffic } = lab;
      lab.traffic = { up: 0, down: 0 };
      return traffic;
    }
    case "processes":
      return processesIn(lab.root).map(({ line }) => line);
    case "kill": {
      const found = processesIn(lab.root).filter(({ line }) => line.split(" ")[0] === request.name);
      for (const { pid } of found) process.kill(pid, "SIGKILL");
      return found.length;
    }
    default:
      throw new Error(`no op ${request.op}`);
  }
}

export interface LabStarted {
  id: string;
  root: string;
  address: string;
  secret?: string;
}

async function start({ uid, secret: withSecret }: LabRequest): Promise<LabStarted> {
  if (base === undefined) {
    const home = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
    const created = mkdtempSync(join(home, "workspace-lab-"));
    chmodSync(created, 0o755);
    process.on("exit", () => {
      for (const { child } of labs.values()) child.kill("SIGKILL");
      rmSync(created, { recursive: true, force: true });
    });
    base = created;
  }
  const id = `lab${++count}`;
  const root = join(base, id, "root");
  mkdirSync(root, { recursive: true });
  const { child, port } = await launch(root, { uid, secret: withSecret });
  const secret = withSecret ? readFileSync(`${root}.secret`, "utf8").trim() : undefined;
  const lab: DaemonFixture = {
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
  lab.proxy.on("connection", (client) => relay(lab, client));
  await new Promise<void>((resolve) => lab.proxy.listen(0, "127.0.0.1", resolve));
  labs.set(id, lab);
  // A daemon with a secret answers under its own address alone.
  const { port: open } = withSecret ? { port } : (lab.proxy.address() as { port: number });
  return { id, root, address: `127.0.0.1:${open}`, secret };
}

async function launch(
  root: string,
  { uid, secret }: { uid: number | undefined; secret: unknown },
): Promise<{ child: ChildProcess; port: number }> {
  bundle ??= buildDaemon({
    entry: new URL("./lab-daemon.ts", import.meta.url).pathname,
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

function relay(lab: DaemonFixture, client: Socket): void {
  const upstream = connect(lab.port, "127.0.0.1");
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    lab.sockets.add(from);
    from.setNoDelay(true);
    from.on("data", (bytes) => {
      if (bytes.length > lab.allowance) {
        // Half a frame gets through, and then nothing: what arrives before the cut must not follow it.
        from.pause();
        to.write(bytes.subarray(0, lab.allowance), () => cut(lab));
        return;
      }
      lab.allowance -= bytes.length;
      lab.traffic[from === client ? "up" : "down"] += bytes.length;
      if (lab.rate < Number.POSITIVE_INFINITY) {
        from.pause();
        const arrive = () => {
          if (to.writable) to.write(bytes);
          from.resume();
        };
        return void setTimeout(arrive, (bytes.length * 1000) / lab.rate);
      }
      if (!to.write(bytes)) {
        from.pause();
        to.once("drain", () => from.resume());
      }
    });
    from.on("end", () => to.end());
    from.on("error", () => to.destroy());
    from.on("close", () => {
      lab.sockets.delete(from);
      to.destroy();
    });
  }
}

function cut(lab: DaemonFixture): void {
  lab.allowance = Number.POSITIVE_INFINITY;
  for (const socket of lab.sockets) socket.destroy();
  lab.sockets.clear();
}

async function stop(lab: DaemonFixture): Promise<object> {
  labs.delete(lab.id);
  cut(lab);
  lab.proxy.close();
  const { child } = lab;
  // A daemon that has exited already emits no second "exit": waiting for one would hide the test's own error behind a timeout.
  const crashed = child.exitCode ?? child.signalCode;
  if (crashed === null) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
  rmSync(dirname(lab.root), { recursive: true, force: true });
  if (crashed !== null) throw new Error(`workspaced ended before its test: ${crashed}`);
  return {};
}

function workOn(lab: DaemonFixture, { deeds = [], notify = false }: LabRequest): { before?: LabTree; after?: LabTree } {
  const before = notify ? stillTree(lab.root, describeStart) : undefined;
  for (const deed of deeds) perpetrate(lab, deed);
  return notify ? { before, after: stillTree(lab.root, describeStart) } : {};
}

function perpetrate({ root }: DaemonFixture, deed: FileAction): void {
  if (deed.do === "raw")
    return writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(deed.name, "base64")]), "");
  const path = join(root, deed.path);
  switch (deed.do) {
    case "write":
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, Buffer.from(deed.bytes, "base64"));
      if (deed.mode !== undefined) chmodSync(path, deed.mode);
      if (deed.mtime !== undefined) utimesSync(path, deed.mtime, deed.mtime);
      return;
    case "mkdir":
      return void mkdirSync(path, { recursive: true });
    case "rm":
      return rmSync(path, { recursive: true, force: true });
    case "rename":
      return renameSync(path, join(root, deed.to));
    case "link":
      return linkSync(join(root, deed.target), path);
    case "symlink":
      return symlinkSync(deed.target, path);
    case "chmod":
      return chmodSync(path, deed.mode);
    default:
      deed satisfies never;
  }
}

/** The daemon may be at work in it: then it is read again. */
function stillTree(root: string, describe: Describe = describeWhole): LabTree {
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

function treeOf(root: string, describe: Describe, prefix = "", tree: LabTree = {}): LabTree {
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
