/** `@cloudflare/workspace/sandbox`: the container class, separate because only a Worker with `[[containers]]` can load it. */
export { ContainerProxy } from "@cloudflare/containers";
export { type NetworkPolicy, Sandbox } from "./container/sandbox.ts";
