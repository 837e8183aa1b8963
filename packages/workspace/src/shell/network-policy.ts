/**
 * The hosts that a command may reach, in the Worker's shell and in the container, and git in a restricted view. None unless the
 * workspace's owner allows them.
 */
import { FsError } from "@workspace/vfs";

/** `none`: no outside access. `open`: everything. `allow`: only these hosts; `*.` at the start stands for any subdomain. */
export type NetworkPolicy = "none" | "open" | { readonly allow: readonly string[] };

/** `signal`: aborts every request when its command ends. */
export function restrictedFetch(policy: NetworkPolicy, reach: typeof fetch, signal?: AbortSignal): typeof fetch {
  return ((input: RequestInfo | URL, init?: RequestInit) => {
    const { hostname } = new URL(input instanceof Request ? input.url : String(input));
    if (!isAllowed(policy, hostname)) {
      const reason = `a command may not reach "${hostname}": allow it with shellSettings.network`;
      throw new FsError("EACCES", { syscall: "fetch", reason });
    }
    if (signal === undefined) return reach(input, init);
    return reach(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal });
  }) as typeof fetch;
}

function isAllowed(policy: NetworkPolicy, hostname: string): boolean {
  if (policy === "none" || policy === "open") return policy === "open";
  return policy.allow.some((host) => host === hostname || (host.startsWith("*.") && hostname.endsWith(host.slice(1))));
}
