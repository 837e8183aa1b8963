/** A tool that models were trained on by name: implemented by other tools, and available only if those are active. */
import type { AnyTool } from "../definition/define-tool.ts";

export interface TrainedTool extends AnyTool {
  /** Tools that must be active for it. */
  readonly needs: readonly string[];
}
