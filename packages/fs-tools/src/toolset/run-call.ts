/** Runs one call from name to result: it never throws, and always records a count, a duration and an audit entry. */
import type { AnyTool } from "../definition/define-tool.ts";
import { parseInput } from "../definition/parse-input.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import type { ToolOutput, ToolResult } from "../definition/tool-result.ts";
import { ToolError, toToolError } from "../errors.ts";
import { redact } from "../redact/redact.ts";
import type { ToolState } from "../state/tool-state.ts";
import { type ToolMetrics, UNKNOWN_TOOL_LABEL } from "./tool-metrics.ts";

export interface CallRecorder {
  readonly state: ToolState;
  readonly metrics: ToolMetrics;
  readonly actor: string;
  readonly now: () => number;
}

/** Error codes of calls that were refused before any work. */
const REFUSALS = new Set([
  "INVALID_INPUT",
  "UNKNOWN_TOOL",
  "OUTSIDE_ROOT",
  "DENIED",
  "NOT_WRITABLE",
  "COMMAND_REFUSED",
  "ADDRESS_REFUSED",
  "QUOTA",
]);

/** A call's id and start time. */
export interface CallStart {
  readonly callId: string;
  readonly start: number;
}

/** `given` is the raw input, for the log; `contextFor` is called once the arguments are valid. */
export async function runCall(
  tool: AnyTool,
  given: unknown,
  { callId, start }: CallStart,
  recorder: CallRecorder,
  contextFor: (callId: string, tool: AnyTool) => ToolContext | Promise<ToolContext>,
): Promise<ToolResult> {
  let result: ToolResult;
  let code = "";
  try {
    const parsed = parseInput(tool, given);
    if (!parsed.ok) throw parsed.error;
    const output = await tool.handler(parsed.input, await contextFor(callId, tool));
    result = toResult(tool, output, callId);
    if (output.isError) code = "COMMAND_FAILED";
  } catch (error) {
    const failure = toToolError(error);
    code = failure.code;
    result = errorResult(failure);
  }
  const failed = result.isError === true;
  const recorded = await record(recorder, { tool: tool.name, callId, given, code, start, failed });
  if (!recorded) result.structured.warning = "This call could not be written to the audit log.";
  return result;
}

export function errorResult(error: ToolError): ToolResult {
  const { code, message, details } = error;
  return { content: `${code}: ${message}`, structured: { error: { code, message, ...details } }, isError: true };
}

function toResult(tool: AnyTool, output: ToolOutput, callId: string): ToolResult {
  const { readOnly, untrusted } = tool.annotations;
  const structured = readOnly && !untrusted ? output.structured : { ...output.structured };
  if (!readOnly) structured.callId = callId;
  if (untrusted) structured.untrusted = true;
  const result = output.text === undefined ? withJson(structured) : { content: output.text, structured };
  if (output.isError) result.isError = true;
  if (output.files !== undefined) result.files = output.files;
  return result;
}

/**
 * The text is computed on first access: the AI SDK uses the data, and a window of a file need not be serialized twice (`npm run bench
 * tools`: read).
 */
function withJson(structured: Record<string, unknown>): ToolResult {
  return Object.defineProperty({ structured }, "content", LAZY_CONTENT) as ToolResult;
}

/**
 * Shared by all results, so that they have one object shape; an own property, so that a result crosses a binding like any other.
 */
const LAZY_CONTENT: PropertyDescriptor = { get: jsonContent, enumerable: true, configurable: true };

function jsonContent(this: ToolResult): string {
  const value = JSON.stringify(this.structured);
  Object.defineProperty(this, "content", { value, enumerable: true, configurable: true, writable: true });
  return value;
}

interface Finished {
  tool: string;
  callId: string;
  given: unknown;
  code: string;
  /** Start time. */
  start: number;
  failed: boolean;
}

/** False: the audit log did not accept it. */
export async function record({ state, metrics, actor, now }: CallRecorder, call: Finished): Promise<boolean> {
  const { tool, callId, code, start, failed } = call;
  const timeMs = now();
  const durationMs = timeMs - start;
  metrics.record(code === "UNKNOWN_TOOL" ? UNKNOWN_TOOL_LABEL : tool, failed ? "failure" : "success", durationMs);
  const outcome = !failed ? "success" : REFUSALS.has(code) ? "refused" : "failure";
  try {
    await state.audit({ timeMs, actor, callId, tool, outcome, code, durationMs, input: redact(call.given) });
    return true;
  } catch {
    return false;
  }
}

export function unknownTool(name: string, known: readonly string[], switchedOff: boolean): ToolError {
  const reason = switchedOff
    ? `The tool ${name} is switched off here`
    : `There is no tool ${JSON.stringify(name.slice(0, 100))}`;
  return new ToolError("UNKNOWN_TOOL", `${reason}. Tools: ${known.join(", ") || "none"}.`, { known });
}
