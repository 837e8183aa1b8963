import type { Workspace } from "@cloudflare/workspace";
import { asMastraFilesystem } from "@cloudflare/workspace/adapters/mastra";
import { Agent } from "@mastra/core/agent";
import * as mastra from "@mastra/core/workspace";

export function createAgent(workspace: Pick<Workspace, "fs">, model: Agent["model"]): Agent {
  return new Agent({
    id: "coder",
    name: "Coder",
    instructions: "Work on the files of the workspace.",
    model,
    workspace: new mastra.Workspace({ filesystem: asMastraFilesystem(workspace, mastra) }),
  });
}
