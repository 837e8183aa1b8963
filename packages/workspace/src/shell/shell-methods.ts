/**
 * The names of the shell's methods, checked for completeness by the compiler: for a facade here, and for a client in another
 * Worker.
 */
import type { Shell } from "@workspace/shell";

const methods = {
  exec: true,
  get: true,
  list: true,
  remove: true,
  ready: true,
  exposePort: true,
  unexposePort: true,
  ports: true,
} satisfies Record<keyof Shell, true>;

export const SHELL_METHODS = Object.keys(methods) as (keyof Shell)[];
