/**
 * The key of a workspace's internal view: what `@cloudflare/fs-tools` and the reference Worker need and no other code may rely on. A
 * registered symbol, because every published package has its own copy of this file.
 */
export const internals: unique symbol = Symbol.for("@cloudflare/workspace internals") as never;
