/** The active tools, by all their names: their own, an alias of another family, or a trained-in verb. */
import type { AnyTool } from "../definition/define-tool.ts";
import type { ToolError } from "../errors.ts";
import { trainedTools } from "../trained-tools/trained-tools.ts";
import { type Alias, aliasFor } from "./aliases.ts";
import { unknownTool } from "./run-call.ts";

export interface FoundTool {
  readonly tool: AnyTool;
  readonly alias?: Alias;
}

export interface ChosenTools {
  readonly list: readonly AnyTool[];
  /** Verbs with these names are not served. */
  readonly verbsOff: readonly string[];
}

export class ActiveTools {
  #list: readonly AnyTool[] = [];
  #named = new Map<string, AnyTool>();
  /** Cache of resolved names. */
  readonly #found = new Map<string, FoundTool>();

  #verbsOff: readonly string[] = [];

  constructor(chosen: ChosenTools) {
    this.set(chosen);
  }

  get list(): readonly AnyTool[] {
    return this.#list;
  }

  get names(): string[] {
    return this.#list.map(({ name }) => name);
  }

  set({ list, verbsOff }: ChosenTools): void {
    this.#list = list;
    this.#verbsOff = verbsOff;
    this.#named = new Map(list.map((tool) => [tool.name, tool]));
    this.#found.clear();
  }

  has(name: string): boolean {
    return this.#named.has(name);
  }

  find(name: string): FoundTool | undefined {
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const one = this.#search(name);
    if (one !== undefined) this.#found.set(name, one);
    return one;
  }

  unknown(name: string, switchedOff = false): ToolError {
    return unknownTool(name, this.names, switchedOff);
  }

  /** A verb or alias has the permissions of the tool behind it. */
  #search(name: string): FoundTool | undefined {
    const own = this.#named.get(name);
    const alias = aliasFor(name);
    if (own !== undefined) return alias === undefined || alias.tool !== name ? { tool: own } : { tool: own, alias };
    const target = alias === undefined ? undefined : this.#named.get(alias.tool);
    if (target !== undefined && alias !== undefined) return { tool: target, alias };
    const verb = trainedTools.find((one) => one.name === name);
    if (verb === undefined || this.#verbsOff.includes(name)) return undefined;
    return verb.needs.every((need) => this.has(need)) ? { tool: verb } : undefined;
  }
}
