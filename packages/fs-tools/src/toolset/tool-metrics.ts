/** Counts and durations, by tool and outcome: `tool_execution_total{tool,status}` and the histogram `function_call_duration_ms`. */
export const DURATION_BUCKETS_MS: readonly number[] = [
  1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000,
];

export interface ToolMetricsSnapshot {
  tool_execution_total: { tool: string; status: "success" | "failure"; count: number }[];
  function_call_duration_ms: { tool: string; buckets: number[]; sum: number; count: number }[];
}

interface Durations {
  buckets: number[];
  sum: number;
  count: number;
}

export class ToolMetrics {
  readonly #totals = new Map<string, { success: number; failure: number }>();
  readonly #durations = new Map<string, Durations>();

  record(tool: string, status: "success" | "failure", durationMs: number): void {
    const totals = this.#totals.get(tool) ?? { success: 0, failure: 0 };
    totals[status]++;
    this.#totals.set(tool, totals);
    const durations = this.#durations.get(tool) ?? {
      buckets: new Array<number>(DURATION_BUCKETS_MS.length + 1).fill(0),
      sum: 0,
      count: 0,
    };
    const bucket = DURATION_BUCKETS_MS.findIndex((limit) => durationMs <= limit);
    const at = bucket < 0 ? DURATION_BUCKETS_MS.length : bucket;
    durations.buckets[at] = (durations.buckets[at] ?? 0) + 1;
    durations.sum += durationMs;
    durations.count++;
    this.#durations.set(tool, durations);
  }

  snapshot(): ToolMetricsSnapshot {
    const totals = [...this.#totals].flatMap(([tool, counts]) =>
      (["success", "failure"] as const)
        .filter((status) => counts[status] > 0)
        .map((status) => ({ tool, status, count: counts[status] })),
    );
    const durations = [...this.#durations].map(([tool, { buckets, sum, count }]) => ({
      tool,
      buckets: [...buckets],
      sum,
      count,
    }));
    return { tool_execution_total: totals, function_call_duration_ms: durations };
  }

  /** In Prometheus' text format. */
  text(): string {
    const { tool_execution_total, function_call_duration_ms } = this.snapshot();
    const lines = ["# TYPE tool_execution_total counter"];
    for (const { tool, status, count } of tool_execution_total)
      lines.push(`tool_execution_total{tool="${tool}",status="${status}"} ${count}`);
    lines.push("# TYPE function_call_duration_ms histogram");
    for (const { tool, buckets, sum, count } of function_call_duration_ms) {
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

/** Something with an `execute`, as the AI SDK's tools have. */
interface Executable {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the tool takes is handed on
  execute?: (...args: any[]) => any;
}

/** The same tool, or set of tools, measured; a result that says it is an error counts as a failure. */
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
