/** Hits and errors of a search as the `grep` tool shows them, from files and from proposals alike. */
import type { GrepHit } from "@cloudflare/workspace";
import { ToolError } from "../errors.ts";

export interface GrepLine {
  line: number;
  text: string;
}

export interface ToolGrepHit {
  path: string;
  line: number;
  text: string;
  before?: GrepLine[];
  after?: GrepLine[];
  /** The line is longer than shown. */
  cut?: true;
}

export function toToolHit({ path, line, text, before, after, cut }: GrepHit, context: number): ToolGrepHit {
  return {
    ...{ path, line, text },
    ...(context > 0 ? { before: before.map(plain), after: after.map(plain) } : {}),
    ...(cut ? { cut } : {}),
  };
}

/** Converts the engine's error about an invalid pattern to an error of that field; returns any other error unchanged. */
export function invalidSearch(error: unknown, regex: boolean): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (code !== "EINVAL") return error;
  return new ToolError(
    "INVALID_INPUT",
    `${message?.replace(/^EINVAL: |, grep$/g, "")}. ${regex ? "Check the regular expression, or search for plain text." : "Check pattern, glob and cursor."}`,
    { field: "pattern" },
  );
}

function plain({ line, text }: GrepLine): GrepLine {
  return { line, text };
}
