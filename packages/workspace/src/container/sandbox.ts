/**
 * The container as a Durable Object class of its own: `export { Sandbox } from "@cloudflare/workspace/sandbox"`, list it under
 * `[[containers]]`, bind it, and a `WorkspaceObject` with that binding runs its commands there. It is started on first need, stops
 * after a while without use, but never while a command lives, and is started again when it died. It keeps nothing.
 */
import { Container } from "@cloudflare/containers";
import { DAEMON_PORT } from "./daemon-port.ts";

/** `none`: nothing outside. `open`: everything. `allow`: these hosts and nothing else, over HTTP and HTTPS. */
export type NetworkPolicy = "none" | "open" | { readonly allow: readonly string[] };

export class Sandbox<Env = Cloudflare.Env> extends Container<Env> {
  /** A subclass says otherwise. */
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
   * The library looks at all traffic as soon as there is a list, and then every name is resolved, which tells whoever resolves it. Asked
   * for these hosts alone, the platform refuses the rest by itself: connections and names.
   */
  #interceptOnly(hosts: readonly string[]): void {
    const decisions = { shouldInterceptAllOutbound: () => false, getHostsToIntercept: () => [...hosts] };
    Object.assign(this, decisions);
  }

  /** Everything but the daemon's port is the daemon's affair: a caller cannot name another. */
  override async fetch(request: Request): Promise<Response> {
    const headers = new Headers(request.headers);
    headers.delete("cf-container-target-port");
    return super.fetch(new Request(request, { headers }));
  }

  /** Nobody asked for a while. A command may still run, started by an object that has been evicted since. */
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
