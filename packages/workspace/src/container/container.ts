/**
 * A workspace's container, on any host: the backend for commands, the engine for searches, its ports, and the sync around all of
 * it. One per workspace and isolate, because two would not know of each other's syncs.
 */
import type { ContainerHost, ExecBackend, SyncReport } from "@workspace/shell";
import type { WriteView } from "@workspace/vfs";
import type { SyncOptions } from "../sync/policy.ts";
import { SyncReportBuilder } from "../sync/sync-report-builder.ts";
import { SyncState } from "../sync/sync-state.ts";
import { Syncer } from "../sync/syncer.ts";
import { createContainerBackend } from "./container-backend.ts";
import { ContainerClient, newSecret, type Sandbox } from "./container-client.ts";
import { ContainerError } from "./container-error.ts";
import { DAEMON_PORT } from "./daemon-port.ts";
import { createContainerEngine } from "./grep-engine.ts";

export interface SandboxSettings extends SyncOptions {
  /** Idle timeout of the connection; default 10 seconds. */
  idleMs?: number;
  /**
   * The secret of a daemon that has one from its start (`npm run daemon:dev` names its file). A container takes the workspace's
   * own.
   */
  secret?: string;
  /** The public address of a port; the deployment signs it. */
  previewUrl?: (port: number) => Promise<string>;
}

export interface ContainerOptions extends SandboxSettings {
  sandbox: Sandbox;
}

/** Connects a workspace to its container: `openContainer` of `@cloudflare/workspace/shell`. */
export type ContainerFactory = (volume: WriteView, options: ContainerOptions) => WorkspaceContainer;

/** A workspace has one: two would not know of each other's syncs. */
export function openContainer(volume: WriteView, options: ContainerOptions): WorkspaceContainer {
  return new WorkspaceContainer(volume, options);
}

export class WorkspaceContainer implements ContainerHost {
  readonly backend: ExecBackend;
  readonly link: ContainerClient;
  readonly syncer: Syncer;
  readonly #state: SyncState;
  /** The public address of a port; a deployment may set it after it creates the workspace. */
  preview: ContainerOptions["previewUrl"];

  constructor(volume: WriteView, { sandbox, secret, idleMs, previewUrl, policy, budget }: ContainerOptions) {
    this.#state = new SyncState(volume, newSecret);
    this.preview = previewUrl;
    const link = new ContainerClient({ sandbox, state: this.#state, secret, idleMs });
    this.link = link;
    this.syncer = new Syncer({
      volume,
      state: this.#state,
      options: { policy, budget },
      connect: () => link.connect(),
      hold: () => link.lease(),
    });
    this.backend = createContainerBackend({ link, syncer: this.syncer, root: volume.root });
    const { search } = volume.store.services;
    search.external = createContainerEngine({ volume, link, syncer: this.syncer, options: { policy, budget } });
  }

  /** Starts the container and pushes the tree, so that the first command need not wait. */
  async ready(): Promise<void> {
    await this.syncer.push(new SyncReportBuilder());
  }

  /** Syncs both ways, now. */
  async sync(): Promise<SyncReport> {
    const report = new SyncReportBuilder();
    await this.syncer.push(report);
    this.syncer.reportLost(report, this.link.present, { isLast: true });
    await this.syncer.pull(report);
    await this.syncer.push(report);
    return report.toReport();
  }

  async exposePort(port: number): Promise<{ port: number; url: string }> {
    const url = await this.#urlOf(port);
    if (!this.#state.ports.includes(port)) this.#state.ports = [...this.#state.ports, port].sort((a, b) => a - b);
    return { port, url };
  }

  async unexposePort(port: number): Promise<void> {
    this.#state.ports = this.#state.ports.filter((exposed) => exposed !== port);
  }

  async ports(): Promise<{ port: number; url: string }[]> {
    return Promise.all(this.#state.ports.map(async (port) => ({ port, url: await this.#urlOf(port) })));
  }

  /** Forwards a request to an exposed port, HTTP or WebSocket, unchanged; 404 for one that is not exposed. */
  async proxyPort(request: Request, port: number): Promise<Response> {
    if (!this.#state.ports.includes(port)) return new Response("this port is not exposed\n", { status: 404 });
    return this.link.proxyPort(request, port);
  }

  async #urlOf(port: number): Promise<string> {
    if (!Number.isInteger(port) || port < 1 || port > 65_535 || port === DAEMON_PORT)
      throw new ContainerError("EINVAL", `${port} is no port that can be exposed`);
    if (this.preview === undefined)
      throw new ContainerError("EINVAL", "this deployment has no address for previews: pass `previewUrl`");
    return this.preview(port);
  }
}
