/**
 * The AI SDK family's tools, one at a time: plain AI SDK tools over a `FileStore` or a workspace, with its options and defaults.
 * Each has the same definition as in a toolset; a tool's state lives as long as its store or workspace.
 */
import type { AnyTool } from "../definition/define-tool.ts";
import type { ToolHost } from "../definition/tool-context.ts";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { callContext } from "../files/call-context.ts";
import { ReadCache } from "../files/read-cache.ts";
import type { ToolLimits } from "../limits.ts";
import { MemoryToolState } from "../state/memory-tool-state.ts";
import type { ToolState } from "../state/tool-state.ts";
import type { FileStore } from "../store/file-store.ts";
import { WorkspaceFileStore } from "../store/workspace-file-store.ts";
import { editTool } from "../tools/edit.ts";
import { execTool } from "../tools/exec.ts";
import { grepTool } from "../tools/grep.ts";
import { readTool } from "../tools/read.ts";
import { writeTool } from "../tools/write.ts";
import { type AiTool, aiTool } from "./ai-tool.ts";
import { createToolHost } from "./create-tool-host.ts";
import { runCall } from "./run-call.ts";
import { ToolMetrics } from "./tool-metrics.ts";

export interface StoreToolOptions {
  store: FileStore;
  /** Receives counts and durations. */
  metrics?: ToolMetrics;
}

export function createReadTool(options: StoreToolOptions & { maxLines?: number; maxBytes?: number }): AiTool {
  const { maxLines, maxBytes } = options;
  return createSingleTool(readTool, options, {
    ...(maxLines === undefined ? {} : { readLines: maxLines }),
    ...(maxBytes === undefined ? {} : { readBytes: maxBytes }),
  });
}

export function createWriteTool(options: StoreToolOptions & { maxBytes?: number }): AiTool {
  return createSingleTool(writeTool, options, options.maxBytes === undefined ? {} : { writeBytes: options.maxBytes });
}

export function createEditTool(options: StoreToolOptions & { maxBytes?: number }): AiTool {
  return createSingleTool(editTool, options, options.maxBytes === undefined ? {} : { editBytes: options.maxBytes });
}

export interface WorkspaceToolOptions {
  workspace: ToolWorkspace;
  metrics?: ToolMetrics;
}

export function createGrepTool(options: WorkspaceToolOptions & { maxHits?: number; maxBytesPerLine?: number }): AiTool {
  const { maxHits, maxBytesPerLine } = options;
  return createSingleTool(grepTool, options, {
    ...(maxHits === undefined ? {} : { grepHits: maxHits }),
    ...(maxBytesPerLine === undefined ? {} : { grepLineBytes: maxBytesPerLine }),
  });
}

export interface ExecToolOptions extends WorkspaceToolOptions {
  defaultCwd?: string;
  allowedCommands?: readonly string[];
  timeoutMs?: number;
  maxOutputBytes?: number;
  env?: Readonly<Record<string, string>>;
}

export function createExecTool(options: ExecToolOptions): AiTool {
  const { maxOutputBytes, metrics: _, workspace: __, ...exec } = options;
  const limits = maxOutputBytes === undefined ? {} : { stdoutBytes: maxOutputBytes, stderrBytes: maxOutputBytes };
  return createSingleTool(execTool, options, limits, exec);
}

/** Tools of one store share their read state, so that a write after a read is guarded. */
const shared = new WeakMap<object, { state: ToolState; recent: ReadCache }>();

function sharedState(subject: object): { state: ToolState; recent: ReadCache } {
  let memory = shared.get(subject);
  if (memory === undefined) shared.set(subject, (memory = { state: new MemoryToolState(), recent: new ReadCache() }));
  return memory;
}

function createSingleTool(
  tool: AnyTool,
  given: { store?: FileStore; workspace?: ToolWorkspace; metrics?: ToolMetrics },
  limits: Partial<ToolLimits>,
  exec: ToolHost["exec"] = {},
): AiTool {
  const { metrics = new ToolMetrics() } = given;
  const workspace = given.store instanceof WorkspaceFileStore ? given.store.workspace : given.workspace;
  const store = workspace === undefined ? given.store : undefined;
  const memory = sharedState((store ?? workspace) as object);
  const root = workspace === undefined ? "/" : (workspace.root ?? "/workspace");
  const frame = createToolHost({ store, workspace, limits, exec }, { root, cwd: root }, memory);
  const { host, actor } = frame;
  const recorder = { state: host.state, metrics, actor, now: host.now };
  return aiTool(tool, (input, { toolCallId = crypto.randomUUID(), abortSignal }) =>
    runCall(tool, input, { callId: toolCallId, start: host.now() }, recorder, () =>
      callContext(frame, toolCallId, abortSignal, !tool.annotations.readOnly),
    ),
  );
}
