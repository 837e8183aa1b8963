/// <reference types="@cloudflare/vitest-plugin/types" />
/** The bindings of the test Worker, for `import { env } from "cloudflare:workers"`. */
declare namespace Cloudflare {
  interface Env {
    BARE: DurableObjectNamespace;
  }
}
