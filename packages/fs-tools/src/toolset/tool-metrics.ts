/** Counts and durations, by tool and outcome: `tool_execution_total{tool,status}` and the histogram `function_call_duration_ms`. */
export const DURATION_BUCKETS_MS: readonly number[] = [
  1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000,
];

export interface ToolMetricsSnapshot {
  tool_execution_total: { tool: string; status: "success" | "failure"; count: number }[];
  function_call_duration_ms: { tool: string; buckets: number[]; sum: number; count: number }[];
}

interface MeasuredCall {
  success: number;
  failure: number;
  buckets: number[];
  sum: number;
}

export class ToolMetrics {
  readonly #tools = new Map<string, MeasuredCall>();

  record(tool: string, status: "success" | "failure", durationMs: number): void {
    let measured = this.#tools.get(tool);
    if (measured === undefined) {
      measured = { success: 0, failure: 0, buckets: new Array(DURATION_BUCKETS_MS.length + 1).fill(0), sum: 0 };
      this.#tools.set(tool, measured);
    }
    if (status === "success") measured.success++;
    else measured.failure++;
    let bucket = 0;
    while (bucket < DURATION_BUCKETS_MS.length && durationMs > DURATION_BUCKETS_MS[bucket]!) bucket++;
    measured.buckets[bucket]!++;
    measured.sum += durationMs;
  }

  snapshot(): ToolMetricsSnapshot {
    const totals = [...this.#tools].flatMap(([tool, counts]) =>
      (["success", "failure"] as const)
        .filter((status) => counts[status] > 0)
        .map((status) => ({ tool, status, count: counts[status] })),
    );
    const durations = [...this.#tools].map(([tool, { buckets, sum, success, failure }]) => ({
      tool,
      buckets: [...buckets],
      sum,
      count: success + failure,
    }));
    return { tool_execution_total: totals, function_call_duration_ms: durations };
  }

  /** In the Prometheus text format. */
  text(): string {
    const { tool_execution_total, function_call_duration_ms } = this.snapshot();
    const lines = ["# TYPE tool_execution_total counter"];
    for (const { tool, status, count } of tool_execution_total)
      lines.push(`tool_execution_total{tool="${label(tool)}",status="${status}"} ${count}`);
    lines.push("# TYPE function_call_duration_ms histogram");
    for (const { tool: name, buckets, sum, count } of function_call_duration_ms) {
      const tool = label(name);
      let below = 0;
      buckets.forEach((inside, i) => {
        below += inside;
        const limit = DURATION_BUCKETS_MS[i] ?? "+Inf";
        lines.push(`function_call_duration_ms_bucket{tool="${tool}",le="${limit}"} ${below}`);
      });
      lines.push(
        `function_call_duration_ms_sum{tool="${tool}"} ${sum}`,
        `function_call_duration_ms_count{tool="${tool}"} ${count}`,
      );
    }
    return `${lines.join("\n")}\n`;
  }
}

/** The label of all unknown tools: a caller must not create labels. */
export const UNKNOWN_TOOL_LABEL = "unknown";

/** With Prometheus quoting. */
function label(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/** An object with `execute`, like the AI SDK's tools. */
interface Executable {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the tool takes is handed on
  execute?: (...args: any[]) => any;
}

/** Wraps a tool or a toolset so that it reports metrics. A result with an error counts as a failure. */
export function withToolMetrics<T extends Executable | Record<string, Executable>>(
  tools: T,
  metrics: ToolMetrics,
  options: { name?: string; now?: () => number } = {},
): T {
  if (typeof (tools as Executable).execute === "function")
    return measured(tools as Executable, options.name ?? "tool", metrics, options.now) as T;
  const entries = Object.entries(tools as Record<string, Executable>);
  return Object.fromEntries(entries.map(([name, tool]) => [name, measured(tool, name, metrics, options.now)])) as T;
}

function measured(
  tool: Executable,
  name: string,
  metrics: ToolMetrics,
  now: () => number = () => Date.now(),
): Executable {
  const { execute } = tool;
  if (execute === undefined) return tool;
  return {
    ...tool,
    execute: async (...args: unknown[]) => {
      const start = now();
      try {
        const result = await execute(...args);
        metrics.record(name, isFailure(result) ? "failure" : "success", now() - start);
        return result;
      } catch (error) {
        metrics.record(name, "failure", now() - start);
        throw error;
      }
    },
  };
}

function isFailure(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return false;
  const { isError, error } = result as { isError?: unknown; error?: unknown };
  return isError === true || (typeof error === "object" && error !== null);
}
