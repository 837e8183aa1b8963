/** `@cloudflare/workspace/sandbox`: the container class, apart from the rest, because only a Worker with `[[containers]]` can load it. */
export { ContainerProxy } from "@cloudflare/containers";
export { type NetworkPolicy, Sandbox } from "./container/sandbox.ts";
