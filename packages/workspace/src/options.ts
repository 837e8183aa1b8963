/** The options of a workspace and of its client. They are checked as the options of a verb are. */
import type { GitLimits } from "@workspace/git";
import type { TableOf } from "@workspace/protocol";
import type { ShellLimits, WorkerShellLimits } from "@workspace/shell";
import { boundsOf, defaultLimits, defaultRetention, type Identity } from "@workspace/vfs";
import type { GetWorkspaceOptions } from "./client/get-workspace.ts";
import { defaultWatchPolicy } from "./client/remote-watch.ts";
import type { SandboxSettings } from "./container/container.ts";
import type { GitSettings } from "./git/workspace-git.ts";
import type { ShellSettings } from "./shell/workspace-shell.ts";
import type { WorkspaceOptions } from "./workspace.ts";

const network = (value: unknown) => value === "none" || value === "open" || hasOnly(value, ["allow"]);
const policy = (value: unknown) =>
  Array.isArray(value) &&
  value.every((rule) => hasOnly(rule, ["glob", "keep"]) && (rule.keep === "durable" || rule.keep === "container-only"));

function hasOnly(value: unknown, names: readonly string[]): value is Record<string, string> {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => name in value) && Object.keys(value).length === names.length;
}

const shellLimits: TableOf<ShellLimits> = {
  keptBytes: "bound",
  spoolFrom: "bound",
  spoolBytes: "bound",
  allSpoolBytes: "bound",
  pageBytes: "bound",
  pageDelayMs: "bound",
  records: "bound",
  running: "bound",
  commandLength: "bound",
  argvItems: "bound",
  environmentItems: "bound",
  stdinBytes: "bound",
  timeoutMs: "bound",
  changedPaths: "bound",
  graceMs: "bound",
  attachAttempts: "bound",
  attachPauseMs: "bound",
};

const workerLimits: TableOf<WorkerShellLimits> = {
  commands: "bound",
  loopIterations: "bound",
  callDepth: "bound",
  workUnits: "bound",
  outputBytes: "bound",
  stringBytes: "bound",
  work: { steps: "bound", stretchSteps: "bound", pauseSteps: "bound", heldBytes: "bound" },
  timeoutMs: "bound",
};

const gitLimits: TableOf<GitLimits> = {
  memory: "bound",
  wholeObject: "bound",
  metadataObject: "bound",
  deltaDepth: "bound",
  symrefDepth: "bound",
  includeDepth: "bound",
  tagDepth: "bound",
  treeDepth: "bound",
  treeEntries: "bound",
  repeatedBytes: "bound",
  resolvedBytes: "bound",
  resolvedBytesPerPackByte: "bound",
  advertisedRefs: "bound",
  sidebandText: "bound",
  idleTimeoutMs: "bound",
};

const gitSettings: TableOf<GitSettings> = {
  fetch: "any",
  credentials: "any",
  identity: { name: "any", email: "any" },
  limits: gitLimits,
  timezone: "any",
  run: "any",
};

const shellSettings: TableOf<ShellSettings> = { network, worker: workerLimits, limits: shellLimits };

const sandboxSettings: TableOf<SandboxSettings> = {
  idleMs: "bound",
  previewUrl: "any",
  secret: "any",
  policy,
  budget: { entries: "bound", bytes: "bound" },
};

export const identityOptions: TableOf<Identity> = { actor: "any", callId: "any" };

export const workspaceOptions: TableOf<WorkspaceOptions> = {
  ...identityOptions,
  storage: "any",
  id: "any",
  root: "any",
  limits: boundsOf(defaultLimits, "positiveBound"),
  retention: boundsOf(defaultRetention),
  now: "any",
  git: "any",
  gitSettings,
  shell: "any",
  shellSettings,
  sandbox: "any",
  container: "any",
  sandboxSettings,
};

export const clientOptions: TableOf<GetWorkspaceOptions> = {
  ...identityOptions,
  watch: boundsOf(defaultWatchPolicy),
};
