/// <reference types="@cloudflare/vitest-plugin/types" />
/** The bindings of the adapters' test Worker, for `import { env } from "cloudflare:workers"`. */
declare namespace Cloudflare {
  interface Env {
    BARE: DurableObjectNamespace;
    CODER: DurableObjectNamespace<import("./scripted-coder.ts").ScriptedCoder>;
    WORKSPACE: DurableObjectNamespace<import("@cloudflare/workspace").WorkspaceObject>;
    GIT_SERVER: Fetcher;
    DAEMON_SERVICE: Fetcher;
  }
}
