/** Every adapter, for the checks of types: its declarations must need neither its framework nor Node's types. */

import type { Workspace, WorkspaceClient } from "@cloudflare/workspace";
import { asSandboxSession, createSandboxProvider } from "@cloudflare/workspace/adapters/ai-sdk-sandbox";
import { asDeepAgentsBackend } from "@cloudflare/workspace/adapters/deepagents";
import { asIsomorphicGitFs } from "@cloudflare/workspace/adapters/isomorphic-git";
import { asJustBashFs } from "@cloudflare/workspace/adapters/just-bash";
import { asMastraFilesystem } from "@cloudflare/workspace/adapters/mastra";
import { asNodeFs } from "@cloudflare/workspace/adapters/node-fs";
import { asPiOperations } from "@cloudflare/workspace/adapters/pi";
import { asThinkWorkspace } from "@cloudflare/workspace/adapters/think";
import { asUnstorageDriver } from "@cloudflare/workspace/adapters/unstorage";

export function adapt(workspace: Workspace | WorkspaceClient, errors: Parameters<typeof asMastraFilesystem>[1]) {
  return {
    sandbox: asSandboxSession(workspace),
    provider: createSandboxProvider({ open: () => workspace }),
    deepagents: asDeepAgentsBackend(workspace),
    git: asIsomorphicGitFs(workspace.fs),
    bash: asJustBashFs(workspace.fs),
    mastra: asMastraFilesystem(workspace, errors),
    node: asNodeFs(workspace.fs),
    pi: asPiOperations(workspace),
    think: asThinkWorkspace(workspace),
    storage: asUnstorageDriver(workspace.fs, { base: "/workspace/data" }),
  };
}
