/** A tool that models were trained on by name: served through the tools it needs, and only where those are active. */
import type { AnyTool } from "../definition/define-tool.ts";

export interface TrainedTool extends AnyTool {
  /** Tools that must be active for it. */
  readonly needs: readonly string[];
}
