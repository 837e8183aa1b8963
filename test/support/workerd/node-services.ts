/** What a test in workerd can ask of the Node process around it, as service bindings (`env.NAME.fetch(…)`). */

import { daemonService } from "./daemon-service.ts";
import { gitServer } from "./git-server.ts";
import { realBash } from "./real-bash.ts";
import { realFs, realFsBase } from "./real-fs.ts";
import { realGit } from "./real-git.ts";
import { realRg } from "./real-rg.ts";
import { recordingGitServer } from "./recording-git-server.ts";

export const nodeServices: Record<string, (request: Request) => Promise<Response>> = {
  GIT_SERVER: gitServer,
  REAL_BASH: realBash,
  REAL_FS: realFs,
  REAL_GIT: realGit,
  REAL_RG: realRg,
  RECORDING_GIT_SERVER: recordingGitServer,
  DAEMON_SERVICE: daemonService,
  SETTINGS: async () => Response.json(settings()),
};

/** How the property test runs, from the environment. */
export interface Settings {
  seed: number;
  runs?: string;
  failures?: string;
  /** GIT_POLICY_SEED and GIT_POLICY_LINES. */
  gitPolicy: { seed: number; lines: number };
  /** Where sequences have their roots, here and there: paths in results are then the same. */
  base: string;
}

function settings(): Settings {
  const { PROPERTY_SEED: seed = 843_503_756, PROPERTY_RUNS: runs, PROPERTY_FAILURES: failures } = process.env;
  const { GIT_POLICY_SEED = 20_261_118, GIT_POLICY_LINES = 250 } = process.env;
  const gitPolicy = { seed: Number(GIT_POLICY_SEED), lines: Number(GIT_POLICY_LINES) };
  return { seed: Number(seed), runs, failures, gitPolicy, base: realFsBase() };
}
