/** A test's side of `DAEMON_SERVICE`: a daemon on a directory, the sandbox that leads to it, and actions in that directory. */
import { env } from "cloudflare:workers";
import type { ProcessEvent, ProcessExit } from "@workspace/shell";
import type { FileSystem, VolumeStore } from "@workspace/vfs";
import {
  openContainer,
  type SandboxSettings,
  type WorkspaceContainer,
} from "../../../packages/workspace/src/container/container.ts";
import type { Sandbox } from "../../../packages/workspace/src/container/container-client.ts";
import type { DaemonRequest, FileAction, StartedDaemon, TreeListing } from "./daemon-service.ts";
import { describeContent } from "./describe-content.ts";

export class DaemonFixture {
  readonly id: string;
  readonly root: string;
  readonly address: string;
  /** Of a daemon that has one from its start. */
  readonly secret: string | undefined;

  private constructor({ id, root, address, secret }: StartedDaemon) {
    this.id = id;
    this.root = root;
    this.address = address;
    this.secret = secret;
  }

  static async start(options: { uid?: number; secret?: true } = {}): Promise<DaemonFixture> {
    return new DaemonFixture((await ask({ op: "start", ...options })) as StartedDaemon);
  }

  get sandbox(): Sandbox {
    return {
      fetch: (request) =>
        fetch(
          new Request(
            request.url.replace("http://sandbox", () => `http://${this.address}`),
            request,
          ),
        ),
    };
  }

  async do(...actions: FileAction[]): Promise<void> {
    await ask({ op: "do", id: this.id, actions });
  }

  /** The first bytes of each file before and after an action. */
  doAndNotify(action: FileAction): Promise<{ before: TreeListing; after: TreeListing }> {
    return ask({ op: "do", id: this.id, actions: [action], notify: true }) as Promise<{
      before: TreeListing;
      after: TreeListing;
    }>;
  }

  write(path: string, text: string, more: { mode?: number; mtime?: number } = {}): Promise<void> {
    return this.do({ do: "write", path, bytes: btoa(text), ...more });
  }

  tree(): Promise<TreeListing> {
    return ask({ op: "tree", id: this.id }) as Promise<TreeListing>;
  }

  processes(): Promise<string[]> {
    return ask({ op: "processes", id: this.id }) as Promise<string[]>;
  }

  /** Kills the processes of this program, as the machine does that runs out of memory; how many there were. */
  kill(name: string): Promise<number> {
    return ask({ op: "kill", id: this.id, name }) as Promise<number>;
  }

  async cut(after?: number): Promise<void> {
    await ask({ op: "cut", id: this.id, after });
  }

  /** Bytes a second in each direction; absent: as fast as it goes. */
  async throttle(rate?: number): Promise<void> {
    await ask({ op: "throttle", id: this.id, rate });
  }

  /** Bytes on the wire since this was last asked. */
  traffic(): Promise<{ up: number; down: number }> {
    return ask({ op: "traffic", id: this.id }) as Promise<{ up: number; down: number }>;
  }

  async restart(): Promise<void> {
    await ask({ op: "restart", id: this.id });
  }

  async disturb(what: { full?: boolean; jump?: number; stopped?: boolean }): Promise<void> {
    await ask({ op: "disturb", id: this.id, ...what });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await ask({ op: "stop", id: this.id });
  }
}

async function ask(request: DaemonRequest): Promise<unknown> {
  const response = await env.DAEMON_SERVICE.fetch("http://daemon/", { method: "POST", body: JSON.stringify(request) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

export function containerOn(
  volume: VolumeStore,
  daemon: DaemonFixture,
  options: SandboxSettings = {},
): WorkspaceContainer {
  return openContainer(volume, { sandbox: daemon.sandbox, ...options });
}

/** The workspace's tree in the form of `DaemonFixture.tree`. */
export async function treeOf(
  fs: FileSystem,
  root = "/workspace",
  prefix = "",
  tree: TreeListing = {},
): Promise<TreeListing> {
  for (const { name, stat } of await fs.scan(prefix === "" ? root : `${root}/${prefix}`)) {
    const path = prefix === "" ? name : `${prefix}/${name}`;
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.type === "dir") {
      tree[path] = `dir ${mode}`;
      await treeOf(fs, root, path, tree);
    } else if (stat.type === "symlink") tree[path] = `symlink ${await fs.readlink(`${root}/${path}`)}`;
    else tree[path] = `file ${mode} ${describeContent(await fs.readFile(`${root}/${path}`))}`;
  }
  return tree;
}

export interface Ran {
  stdout: string;
  stderr: string;
  exit: ProcessExit;
  events: ProcessEvent[];
}

let runs = 0;

export async function run(
  { backend }: WorkspaceContainer,
  command: string | string[],
  more: {
    id?: string;
    cwd?: string;
    env?: Record<string, string>;
    stdin?: Uint8Array;
    timeoutMs?: number;
    callId?: string;
  } = {},
): Promise<Ran> {
  const id = more.id ?? `run-${Date.now()}-${++runs}`;
  const process = await backend.start({
    id,
    command,
    cwd: "/workspace",
    env: {},
    stdin: null,
    timeoutMs: 0,
    callId: id,
    ...more,
  });
  return gather(process.events);
}

export async function gather(events: AsyncIterable<ProcessEvent>): Promise<Ran> {
  const all: ProcessEvent[] = [];
  const text = { stdout: "", stderr: "" };
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  for await (const event of events) {
    all.push(event);
    if (event.name === "exit") return { ...text, exit: event.value, events: all };
    text[event.name] += decoders[event.name].decode(event.value, { stream: true });
  }
  throw new Error("the events ended without an exit");
}
