/** All tools, in listing order. */
import type { AnyTool } from "../definition/define-tool.ts";
import { agentSendTool, agentSpawnTool } from "./agents.ts";
import { applyPatchTool } from "./apply-patch.ts";
import { browseTool } from "./browse.ts";
import { editTool } from "./edit.ts";
import { execKillTool, execOutputTool, execTool } from "./exec.ts";
import { existsTool, infoTool } from "./exists.ts";
import { findTool, globTool } from "./find.ts";
import { gitTool } from "./git.ts";
import { grepTool } from "./grep.ts";
import { listTool } from "./list.ts";
import { copyTool, deleteTool, moveTool } from "./move.ts";
import { readTool } from "./read.ts";
import { changesTool, statsTool } from "./stats.ts";
import { treeTool } from "./tree.ts";
import { undoTool } from "./undo.ts";
import { webFetchTool, webSearchTool } from "./web.ts";
import { writeTool } from "./write.ts";

export const allTools: readonly AnyTool[] = [
  ...[readTool, writeTool, editTool, applyPatchTool],
  ...[grepTool, globTool, findTool, listTool, treeTool, existsTool, infoTool, statsTool, changesTool],
  ...[moveTool, copyTool, deleteTool],
  ...[execTool, execOutputTool, execKillTool, gitTool],
  ...[browseTool, webFetchTool, webSearchTool, agentSpawnTool, agentSendTool, undoTool],
];
