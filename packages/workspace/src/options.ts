/** The options of a workspace and of its client. They are checked as those of the file system: see `checkOptions`. */
import type { GitLimits } from "@workspace/git";
import type { ShellLimits, WorkerShellLimits } from "@workspace/shell";
import {
  anyValue as any,
  bound,
  boundsOf,
  defaultLimits,
  defaultRetention,
  type Identity,
  type OptionCheck,
  type OptionsOf,
  positiveBound,
} from "@workspace/vfs";
import type { GetWorkspaceOptions } from "./client/get-workspace.ts";
import { defaultWatchPolicy } from "./client/remote-watch.ts";
import type { SandboxSettings } from "./container/container.ts";
import type { GitSettings } from "./git/workspace-git.ts";
import type { ShellSettings } from "./shell/workspace-shell.ts";
import type { WorkspaceOptions } from "./workspace.ts";

const network: OptionCheck = (value) => value === "none" || value === "open" || hasOnly(value, ["allow"]);
const policy: OptionCheck = (value) =>
  Array.isArray(value) &&
  value.every((rule) => hasOnly(rule, ["glob", "keep"]) && (rule.keep === "durable" || rule.keep === "container-only"));

function hasOnly(value: unknown, names: readonly string[]): value is Record<string, string> {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => name in value) && Object.keys(value).length === names.length;
}

const shellLimits: OptionsOf<ShellLimits> = {
  keptBytes: bound,
  spoolFrom: bound,
  spoolBytes: bound,
  allSpoolBytes: bound,
  pageBytes: bound,
  pageDelayMs: bound,
  records: bound,
  running: bound,
  commandLength: bound,
  argvItems: bound,
  environmentItems: bound,
  stdinBytes: bound,
  timeoutMs: bound,
  changedPaths: bound,
  graceMs: bound,
  attachAttempts: bound,
  attachPauseMs: bound,
};

const workerLimits: OptionsOf<WorkerShellLimits> = {
  commands: bound,
  loopIterations: bound,
  callDepth: bound,
  workUnits: bound,
  outputBytes: bound,
  stringBytes: bound,
  work: { steps: bound, stretchSteps: bound, pauseSteps: bound, heldBytes: bound },
  timeoutMs: bound,
};

const gitLimits: OptionsOf<GitLimits> = {
  memory: bound,
  wholeObject: bound,
  metadataObject: bound,
  deltaDepth: bound,
  symrefDepth: bound,
  includeDepth: bound,
  tagDepth: bound,
  treeDepth: bound,
  treeEntries: bound,
  repeatedBytes: bound,
  resolvedBytes: bound,
  resolvedBytesPerPackByte: bound,
  advertisedRefs: bound,
  sidebandText: bound,
  idleTimeoutMs: bound,
};

const gitSettings: OptionsOf<GitSettings> = {
  fetch: any,
  credentials: any,
  identity: { name: any, email: any },
  limits: gitLimits,
  timezone: any,
  run: any,
};

const shellSettings: OptionsOf<ShellSettings> = { network, worker: workerLimits, limits: shellLimits };

const sandboxSettings: OptionsOf<SandboxSettings> = {
  idleMs: bound,
  previewUrl: any,
  secret: any,
  policy,
  budget: { entries: bound, bytes: bound },
};

export const identityOptions: OptionsOf<Identity> = { actor: any, callId: any };

export const workspaceOptions: OptionsOf<WorkspaceOptions> = {
  ...identityOptions,
  storage: any,
  id: any,
  root: any,
  limits: boundsOf(defaultLimits, positiveBound),
  retention: boundsOf(defaultRetention),
  now: any,
  git: any,
  gitSettings,
  shell: any,
  shellSettings,
  sandbox: any,
  container: any,
  sandboxSettings,
};

export const clientOptions: OptionsOf<GetWorkspaceOptions> = {
  ...identityOptions,
  watch: boundsOf(defaultWatchPolicy),
};
