/** All names of a tool: its own, an alias of another family, or a trained-in verb. */
import { ToolError } from "../errors.ts";
import { allTools } from "../tools/all-tools.ts";
import { trainedTools } from "../trained-tools/trained-tools.ts";
import { ALIASES, aliasFor } from "./aliases.ts";
import { unknownTool } from "./run-call.ts";

/** Names that no foreign tool may have. Lower case: a model does not tell `Read` from `read`. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(
  [...allTools.map(({ name }) => name), ...ALIASES, ...trainedTools.map(({ name }) => name)].map((name) =>
    name.toLowerCase(),
  ),
);

/**
 * Resolves names to tools and verbs. A verb over one tool, such as `bash`, counts as that tool: once disabled, it must not be
 * reachable by another name. `extra` are names of the host's own tools.
 */
export function resolveNames(
  names: readonly string[],
  extra: readonly string[],
  field: "allow" | "disabled",
): string[] {
  return names.flatMap((name) => {
    if (extra.includes(name) || allTools.some((tool) => tool.name === name)) return [name];
    const alias = aliasFor(name);
    if (alias !== undefined) return [alias.tool];
    const verb = trainedTools.find((one) => one.name === name);
    if (verb === undefined) throw unknownTool(String(name), [...allTools.map((tool) => tool.name), ...extra], false);
    return field === "allow" || verb.needs.length === 1 ? [name, ...verb.needs] : [name];
  });
}

/** Requires that a host's own tools have names of their own. */
export function requireFreeNames(names: readonly string[]): void {
  const taken = names.find((name, i) => RESERVED_NAMES.has(name.toLowerCase()) || names.indexOf(name) !== i);
  if (taken !== undefined)
    throw new ToolError("INVALID_INPUT", `extraTools: the name ${JSON.stringify(taken)} is taken.`, {
      field: "extraTools",
    });
}
