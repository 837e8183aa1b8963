/**
 * The container as a separate Durable Object class: `export { Sandbox } from "@cloudflare/workspace/sandbox"`, list it under
 * `[[containers]]`, bind it, and a `WorkspaceObject` with that binding runs its commands there. It starts on first use, stops after
 * an idle timeout, but never while a command runs, and restarts after a crash. It stores nothing.
 */
import { Container } from "@cloudflare/containers";
import type { NetworkPolicy } from "../shell/network-policy.ts";
import { DAEMON_PORT } from "./daemon-port.ts";

export class Sandbox<Env = Cloudflare.Env> extends Container<Env> {
  /** A subclass can override it. */
  static readonly network: NetworkPolicy = "none";

  override defaultPort = DAEMON_PORT;
  override requiredPorts = [DAEMON_PORT];
  override sleepAfter: string | number = "10m";
  override pingEndpoint = "sandbox/health";

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx as never, env);
    const { network } = this.constructor as typeof Sandbox;
    this.enableInternet = network === "open";
    if (typeof network === "object") {
      this.allowedHosts = [...network.allow];
      this.interceptHttps = true;
      if (!network.allow.some((host) => host.includes("*"))) this.#interceptOnly(network.allow);
    }
  }

  /**
   * The library intercepts all traffic as soon as there is a list, and then every name is resolved, which reveals it to the
   * resolver. If only these hosts are intercepted, the platform itself blocks the rest: connections and names.
   */
  #interceptOnly(hosts: readonly string[]): void {
    const decisions = { shouldInterceptAllOutbound: () => false, getHostsToIntercept: () => [...hosts] };
    Object.assign(this, decisions);
  }

  /** All requests go to the daemon's port: a caller cannot name another. */
  override async fetch(request: Request): Promise<Response> {
    const headers = new Headers(request.headers);
    headers.delete("cf-container-target-port");
    return super.fetch(new Request(request, { headers }));
  }

  /** The idle timeout expired. A command may still run, started by an object that has been evicted since. */
  override async onActivityExpired(): Promise<void> {
    if (await this.#isBusy()) return this.renewActivityTimeout();
    await this.stop();
  }

  async #isBusy(): Promise<boolean> {
    try {
      const port = this.ctx.container?.getTcpPort(DAEMON_PORT);
      const response = await port?.fetch("http://sandbox/health");
      return ((await response?.json()) as { busy?: boolean } | undefined)?.busy === true;
    } catch {
      return false;
    }
  }
}
