/** The bindings of ./node-services.ts, for `import { env } from "cloudflare:workers"`. */
declare namespace Cloudflare {
  interface Env {
    GIT_SERVER: Fetcher;
    REAL_BASH: Fetcher;
    REAL_FS: Fetcher;
    REAL_GIT: Fetcher;
    REAL_RG: Fetcher;
    RECORDING_GIT_SERVER: Fetcher;
    DAEMON_SERVICE: Fetcher;
    SETTINGS: Fetcher;
  }
}
