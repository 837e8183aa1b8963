/** Tools that models were trained on by name: each is served through the tools it needs. */
import type { AnyTool } from "../definition/define-tool.ts";

export interface TrainedVerb extends AnyTool {
  /** Tools that must be active for it. */
  readonly needs: readonly string[];
}

export const trainedVerbs: readonly TrainedVerb[] = [];
