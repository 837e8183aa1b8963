/**
 * Workspaces as the sandboxes of the AI SDK's harness: one per session, found again by its id. A marker file records that a session
 * created the workspace, so that resuming an unknown session is an error and not an empty sandbox.
 */
import { FsError } from "@workspace/vfs";
import { asSandboxSession, type SandboxOptions, type SandboxSession, type SandboxSource } from "./sandbox-session.ts";

export interface SandboxProviderOptions extends SandboxOptions {
  /** The workspace of a session: `(id) => getWorkspace(env.WORKSPACE, id)`. */
  open(sessionId: string): SandboxSource | Promise<SandboxSource>;
  /** What `destroy` does after commands are stopped. The default keeps the files. */
  destroy?(sessionId: string): Promise<void>;
}

/** `HarnessV1NetworkSandboxSession` of `@ai-sdk/harness`. */
export interface NetworkSandboxSession extends SandboxSession {
  readonly id: string;
  readonly defaultWorkingDirectory: string;
  readonly ports: readonly number[];
  readonly getPortEndpoint: (options: PortOptions) => Promise<{ url: string }>;
  readonly getPortUrl: (options: PortOptions) => Promise<string>;
  readonly setPorts: (ports: readonly number[]) => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly destroy: () => Promise<void>;
  readonly restricted: () => SandboxSession;
}

interface PortOptions {
  port: number;
  protocol?: "http" | "https" | "ws";
}

export interface SandboxProvider {
  readonly specificationVersion: "harness-sandbox-v1";
  readonly providerId: string;
  readonly createSession: (options?: {
    sessionId?: string;
    abortSignal?: AbortSignal;
    identity?: string;
    onFirstCreate?: (session: SandboxSession, options: { abortSignal?: AbortSignal }) => Promise<void>;
  }) => Promise<NetworkSandboxSession>;
  readonly resumeSession: (options: { sessionId: string; abortSignal?: AbortSignal }) => Promise<NetworkSandboxSession>;
}

/** Outside the agent's files, and so outside git and sync. */
const MARKS = "/var/lib/ai-sdk-sandbox";

export function createSandboxProvider({ open, destroy, ...options }: SandboxProviderOptions): SandboxProvider {
  return {
    specificationVersion: "harness-sandbox-v1",
    providerId: "cloudflare-workspace",
    async createSession({ sessionId = crypto.randomUUID(), abortSignal, identity = "", onFirstCreate } = {}) {
      abortSignal?.throwIfAborted();
      const workspace = await open(sessionId);
      const { workingDirectory = "/workspace" } = options;
      await workspace.fs.mkdir(workingDirectory, { recursive: true });
      const mark = `${MARKS}/${encodeURIComponent(identity)}.first-create`;
      if (onFirstCreate !== undefined && !(await workspace.fs.exists(mark))) {
        await onFirstCreate(asSandboxSession(workspace, options), { abortSignal });
        await workspace.fs.writeMany([{ path: mark, content: "" }]);
      }
      await workspace.fs.writeMany([{ path: `${MARKS}/session`, content: sessionId }]);
      return networkSession(workspace, sessionId, options, destroy);
    },
    async resumeSession({ sessionId, abortSignal }) {
      abortSignal?.throwIfAborted();
      const workspace = await open(sessionId);
      if (!(await workspace.fs.exists(`${MARKS}/session`))) {
        const reason = `no sandbox session ${JSON.stringify(sessionId)} was created`;
        throw new FsError("ENOENT", { syscall: "resumeSession", reason });
      }
      return networkSession(workspace, sessionId, options, destroy);
    },
  };
}

async function networkSession(
  workspace: SandboxSource,
  id: string,
  options: SandboxOptions,
  destroy: SandboxProviderOptions["destroy"],
): Promise<NetworkSandboxSession> {
  const { shell } = workspace;
  const session = asSandboxSession(workspace, options);
  let ports = (await shell.ports()).map(({ port }) => port);
  const stop = async () => {
    for (const { id: running } of await shell.list({ state: "running" })) {
      await using handle = await shell.get(running, { resume: "tail" });
      await handle.kill();
      await handle.result();
    }
  };
  const urlOf = async ({ port, protocol }: PortOptions) => {
    const { url } = await shell.exposePort(port);
    return protocol === "ws" ? url.replace(/^http/, () => "ws") : url;
  };
  return {
    ...session,
    id,
    defaultWorkingDirectory: options.workingDirectory ?? "/workspace",
    get ports() {
      return ports;
    },
    getPortEndpoint: async (which) => ({ url: await urlOf(which) }),
    getPortUrl: urlOf,
    async setPorts(wanted) {
      for (const port of wanted) await shell.exposePort(port);
      for (const port of ports) if (!wanted.includes(port)) await shell.unexposePort(port);
      ports = [...wanted];
    },
    stop,
    async destroy() {
      await stop();
      await destroy?.(id);
    },
    restricted: () => session,
  };
}
