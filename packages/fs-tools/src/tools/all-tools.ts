/** Every tool there is, in the order they are listed. */
import type { AnyTool } from "../definition/define-tool.ts";
import { editTool } from "./edit.ts";
import { readTool } from "./read.ts";
import { writeTool } from "./write.ts";

export const allTools: readonly AnyTool[] = [readTool, writeTool, editTool];
