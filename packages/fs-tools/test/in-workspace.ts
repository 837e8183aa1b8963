/** Runs a test body with a toolset on a fresh workspace, inside a Durable Object. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Workspace } from "@cloudflare/workspace";
import type { ToolResult } from "../src/definition/tool-result.ts";
import { createToolset } from "../src/toolset/create-toolset.ts";
import type { Toolset, ToolsetOptions } from "../src/toolset/toolset.ts";
import { codeOfResult } from "./code-of-result.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
export type Answer = Record<string, any>;

export interface Inside {
  workspace: Workspace;
  fs: Workspace["fs"];
  toolset: Toolset;
  /** Another toolset on the same workspace. */
  more(options?: Partial<ToolsetOptions>): Promise<Toolset>;
  /** The structured result; a failure fails the test. */
  call(name: string, input: Record<string, unknown>): Promise<Answer>;
  /** The code of the failure; a success fails the test. */
  refused(name: string, input: unknown): Promise<string>;
  storage: DurableObjectStorage;
}

let created = 0;

export function inWorkspace(
  body: (inside: Inside) => Promise<void>,
  options: Partial<ToolsetOptions> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  return runInDurableObject(env.WORKSPACE.getByName(`tools ${created++}`), async (object, { storage }) => {
    const { workspace } = object as unknown as { workspace: Workspace };
    const entries = Object.entries(files).map(([path, content]) => ({ path: `/workspace/${path}`, content }));
    if (entries.length > 0) await workspace.fs.writeMany(entries);
    const toolset = await createToolset({ workspace, ...options });
    await body({
      ...{ workspace, fs: workspace.fs, toolset, storage },
      more: (other = {}) => createToolset({ workspace, ...options, ...other }),
      call: async (name, input) => unwrap(await toolset.handle(name, input)),
      refused: async (name, input) => codeOf(await toolset.handle(name, input)),
    });
  });
}

export function unwrap(result: ToolResult): Answer {
  if (result.isError) throw new Error(`the call failed: ${result.content}`);
  return result.structured;
}

export const codeOf = codeOfResult;
