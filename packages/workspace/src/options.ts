/** Which options a workspace and its client are made with. The check is that of the file system: see `checkOptions`. */
import type { GitLimits } from "@workspace/git";
import type { ShellLimits, WorkerShellLimits } from "@workspace/shell";
import {
  anyValue as any,
  defaultLimits,
  defaultRetention,
  type Identity,
  namesOf,
  type OptionCheck,
  type OptionsOf,
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
  keptBytes: any,
  spoolFrom: any,
  spoolBytes: any,
  allSpoolBytes: any,
  pageBytes: any,
  pageDelayMs: any,
  records: any,
  running: any,
  commandLength: any,
  argvItems: any,
  environmentItems: any,
  stdinBytes: any,
  timeoutMs: any,
  changedPaths: any,
  graceMs: any,
  attachAttempts: any,
  attachPauseMs: any,
};

const workerLimits: OptionsOf<WorkerShellLimits> = {
  commands: any,
  loopIterations: any,
  callDepth: any,
  workUnits: any,
  outputBytes: any,
  stringBytes: any,
  work: { steps: any, stretchSteps: any, pauseSteps: any, heldBytes: any },
  timeoutMs: any,
};

const gitLimits: OptionsOf<GitLimits> = {
  memory: any,
  wholeObject: any,
  metadataObject: any,
  deltaDepth: any,
  symrefDepth: any,
  includeDepth: any,
  tagDepth: any,
  treeDepth: any,
  treeEntries: any,
  repeatedBytes: any,
  resolvedBytes: any,
  resolvedBytesPerPackByte: any,
  advertisedRefs: any,
  sidebandText: any,
  silenceMs: any,
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
  idleMs: any,
  previewUrl: any,
  secret: any,
  policy,
  budget: { entries: any, bytes: any },
};

export const identityOptions: OptionsOf<Identity> = { actor: any, callId: any };

export const workspaceOptions: OptionsOf<WorkspaceOptions> = {
  ...identityOptions,
  storage: any,
  id: any,
  root: any,
  limits: namesOf(defaultLimits),
  retention: namesOf(defaultRetention),
  now: any,
  git: any,
  gitSettings,
  shell: any,
  shellSettings,
  sandbox: any,
  sandboxSettings,
};

export const clientOptions: OptionsOf<GetWorkspaceOptions> = {
  ...identityOptions,
  watch: namesOf(defaultWatchPolicy),
};
