/** `wsx tools`: lists, describes and calls the agent's tools. */
import type { ToolResponse, ToolsResponse } from "@workspace/worker/api";
import { type CommandContext, defineCommand } from "../command.ts";
import { UsageError } from "../flags/usage-error.ts";
import { columns } from "../format/columns.ts";
import { print } from "../format/print.ts";

interface ToolSchema {
  name: string;
  description?: string;
  inputSchema?: { properties?: Record<string, { type?: string; description?: string }>; required?: string[] };
}

export const tools = defineCommand({
  name: "tools",
  summary: "List the agent tools, or call one",
  flags: {
    dialect: {
      long: "--dialect",
      value: "string",
      choices: ["json", "anthropic", "openai", "mcp"],
      help: "Print the schemas in the format of this API",
    },
    input: {
      long: "--input",
      short: "-i",
      value: "string",
      arg: "<json>",
      help: "The input as JSON; - reads standard input",
    },
  },
  operands: [
    { name: "tool", kind: "tool", optional: true },
    { name: "name=value", kind: "text", optional: true, many: true },
  ],
  notes: "A value that is valid JSON is JSON, any other is text. The exit code is 1 if the tool fails.",
  examples: [
    "wsx tools",
    "wsx tools read path=/workspace/README.md",
    `wsx tools edit -i '{"path": "/workspace/a.txt", "old": "x", "new": "y"}'`,
  ],
  async run(context, { flags, operands: [tool, ...pairs] }) {
    if (tool === undefined) return list(context, flags.dialect);
    if (flags.dialect !== undefined) throw new UsageError("--dialect is for the list of tools");
    const input = { ...(await inputOf(context, flags.input)), ...Object.fromEntries(pairs.map(parseInputPair)) };
    const answer = await context.api.json<ToolResponse>(`tools/${encodeURIComponent(tool)}`, {
      method: "POST",
      json: input,
    });
    await print(context, answer, () => `${contentText(answer.content)}\n`);
    return answer.isError ? 1 : 0;
  },
});

async function list(context: CommandContext, dialect: string | undefined): Promise<number> {
  const answer = await context.api.json<ToolsResponse>("tools", { query: { dialect: dialect ?? "mcp" } });
  if (dialect !== undefined) {
    await context.io.out(`${JSON.stringify(answer.tools, null, 2)}\n`);
    return 0;
  }
  const found = answer.tools as ToolSchema[];
  await print(context, found, () =>
    columns(found.map((tool) => [toolUsage(tool), (tool.description ?? "").split(/\n|(?<=\.) /, 1)[0] ?? ""])),
  );
  return 0;
}

/** `read path [offset] [limit]` */
function toolUsage({ name, inputSchema }: ToolSchema): string {
  const required = new Set(inputSchema?.required ?? []);
  const words = Object.keys(inputSchema?.properties ?? {}).map((key) => (required.has(key) ? key : `[${key}]`));
  return [name, ...words].join(" ");
}

async function inputOf({ io }: CommandContext, given: string | undefined): Promise<Record<string, unknown>> {
  if (given === undefined) return {};
  let text = given;
  if (given === "-") {
    const parts: Uint8Array[] = [];
    for await (const chunk of io.stdin()) parts.push(chunk);
    text = Buffer.concat(parts).toString();
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new UsageError("--input is not a JSON object");
}

function parseInputPair(pair: string): [string, unknown] {
  const at = pair.indexOf("=");
  if (at < 1) throw new UsageError(`an input is name=value, not "${pair}"`);
  const value = pair.slice(at + 1);
  try {
    return [pair.slice(0, at), JSON.parse(value)];
  } catch {
    return [pair.slice(0, at), value];
  }
}

/** MCP's content format, or any other value. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content, null, 2);
  return content.map((part) => (typeof part?.text === "string" ? part.text : JSON.stringify(part))).join("\n");
}
