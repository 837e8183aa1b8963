/**
 * Every trained-in verb, and each provider's declarations. OpenAI's `apply_patch` is our own tool, which also accepts its inputs.
 */
import { memory } from "./memory.ts";
import { bash, shell } from "./shells.ts";
import { textEditor } from "./text-editor.ts";
import type { TrainedTool } from "./trained-tool.ts";

export const trainedTools: readonly TrainedTool[] = [textEditor, bash, memory, shell];

const DECLARATIONS = {
  anthropic: [
    { type: "text_editor_20250728", name: "str_replace_based_edit_tool" },
    { type: "bash_20250124", name: "bash" },
    { type: "memory_20250818", name: "memory" },
  ],
  openai: [{ type: "apply_patch" }, { type: "shell" }],
} as const;

export function providerTools(
  provider: keyof typeof DECLARATIONS,
  isActive: (name: string) => boolean,
): Record<string, unknown>[] {
  return DECLARATIONS[provider]
    .filter((declaration) => isActive("name" in declaration ? declaration.name : declaration.type))
    .map((declaration) => ({ ...declaration }));
}
