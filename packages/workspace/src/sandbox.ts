/** `@cloudflare/workspace/sandbox`: the container class, separate because only a Worker with `[[containers]]` can load it. */
export { ContainerProxy } from "@cloudflare/containers";
export { Sandbox } from "./container/sandbox.ts";
export type { NetworkPolicy } from "./shell/network-policy.ts";
