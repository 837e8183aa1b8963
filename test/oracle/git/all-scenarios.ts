/** Every scenario in `scenarios/`: each file exports lists of them. */
import type { Scenario } from "./scenario.ts";

type Glob = { glob(pattern: string, options: { eager: true }): Record<string, Record<string, unknown>> };

// Vite replaces the call, and wants to see it as it is written here.
const files = (import.meta as unknown as Glob).glob("./scenarios/*.ts", { eager: true });

export interface Topic {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}

export const topics: readonly Topic[] = Object.entries(files).map(([path, exported]) => ({
  name: path.replace(/^.*\/(.*)\.ts$/, (_, name: string) => name),
  // Files may share steps, too.
  scenarios: Object.values(exported)
    .filter((value): value is Scenario[] => Array.isArray(value))
    .flat()
    .filter((scenario) => Array.isArray(scenario.steps)),
}));
