import type { Workspace } from "@cloudflare/workspace";
import { asPiOperations } from "@cloudflare/workspace/adapters/pi";
import {
  createBashTool,
  createEditTool,
  createFindTool,
  createLsTool,
  createReadTool,
  createWriteTool,
} from "@earendil-works/pi-coding-agent";

export function piTools(workspace: Pick<Workspace, "fs" | "shell">, cwd = "/workspace") {
  const { read, write, edit, bash, find, ls } = asPiOperations(workspace);
  return [
    createReadTool(cwd, { operations: read }),
    createWriteTool(cwd, { operations: write }),
    createEditTool(cwd, { operations: edit }),
    createBashTool(cwd, { operations: bash }),
    createFindTool(cwd, { operations: find }),
    createLsTool(cwd, { operations: ls }),
  ];
}
