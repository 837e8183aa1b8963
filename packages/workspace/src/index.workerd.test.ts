import * as workspace from "@cloudflare/workspace";
import * as core from "@cloudflare/workspace/core";
import * as git from "@cloudflare/workspace/git";
import * as shell from "@cloudflare/workspace/shell";
import { expect, it } from "vitest";

/** What users import. A name that goes is a breaking change; one that comes is a promise. */
const surface = [
  "ContainerError",
  "FsError",
  "GitError",
  "ShellError",
  "Workspace",
  "WorkspaceObject",
  "WorkspaceRpcError",
  "getWorkspace",
  "proxyPort",
  "serveWorkspace",
];

it("@cloudflare/workspace exports exactly this", () => {
  expect(Object.keys(workspace).sort()).toEqual(surface);
});

it("@cloudflare/workspace/core exports exactly this", () => {
  expect(Object.keys(core).sort()).toEqual(surface);
  expect({ ...core, Workspace: 0, WorkspaceObject: 0 }).toEqual({ ...workspace, Workspace: 0, WorkspaceObject: 0 });
  expect(workspace.Workspace.prototype).toBeInstanceOf(core.Workspace);
});

it("@cloudflare/workspace/git exports exactly this", () => {
  expect(Object.keys(git).sort()).toEqual(["GitError", "createGit", "defaultGitLimits"]);
});

it("@cloudflare/workspace/shell exports exactly this", () => {
  expect(Object.keys(shell).sort()).toEqual([
    "ShellError",
    "createShell",
    "openContainer",
    "quoteWord",
    "shellLimits",
    "workerShellLimits",
  ]);
});
