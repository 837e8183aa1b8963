/** `wsx completion <shell>` prints the script; the script calls `wsx __complete <words…>`. */
import type { ToolsResponse, WorkspacesResponse } from "@workspace/worker/api";
import type { Api } from "../client/api.ts";
import { joinRemote, remotePath } from "../client/remote-path.ts";
import { type Command, defineCommand } from "../command.ts";
import { completionAt } from "../completion/candidates.ts";
import { completionScript, FILES } from "../completion/scripts.ts";
import type { OperandKind } from "../flags/flag-table.ts";
import { UsageError } from "../flags/usage-error.ts";
import { remoteTree } from "../transfer/remote-tree.ts";

/** The timeout of a completion; WSX_COMPLETION_MS overrides it, for slow servers. */
const TIMEOUT_MS = 3000;

export const completion = (_commands: () => readonly Command[]) =>
  defineCommand({
    name: "completion",
    summary: "Print the completion script of a shell",
    flags: {},
    operands: [{ name: "shell", kind: "shell" }],
    notes: 'In ~/.bashrc: eval "$(wsx completion bash)"; in ~/.zshrc: eval "$(wsx completion zsh)".',
    examples: ['eval "$(wsx completion bash)"'],
    async run(context, { operands: [shell] }) {
      if (shell !== "bash" && shell !== "zsh")
        throw new UsageError(`there is completion for bash and zsh, not for "${shell}"`);
      const script = completionScript(shell);
      // Not `print`: it would escape the script's control characters.
      await context.io.out(context.json ? `${JSON.stringify({ shell, script })}\n` : script);
      return 0;
    },
  });

export const complete = (commands: () => readonly Command[]) =>
  defineCommand({
    name: "__complete",
    summary: "Answer a shell's question",
    flags: {},
    operands: [{ name: "word", kind: "text", optional: true, many: true }],
    passThrough: "all",
    examples: [],
    async run({ io, api }, { operands }) {
      const requested = completionAt(commands(), operands);
      const deadline = new Promise<string[]>((done) =>
        setTimeout(() => done([]), Number(io.env.WSX_COMPLETION_MS) || TIMEOUT_MS).unref(),
      );
      const known =
        requested.kind === null
          ? []
          : await Promise.race([answer(api, requested.kind, requested.prefix).catch(() => []), deadline]);
      const lines = [...requested.words, ...known].map((word) => (word === FILES ? word : requested.before + word));
      await io.out(
        lines
          .filter((line) => !/[\n\r]/.test(line))
          .map((line) => `${line}\n`)
          .join(""),
      );
      return 0;
    },
  });

async function answer(api: Api, kind: OperandKind | "file", prefix: string): Promise<string[]> {
  switch (kind) {
    case "file":
    case "local-path":
      return [FILES];
    case "remote-path":
      return remotePaths(api, prefix);
    case "either-path":
      return /^[^/]*:/.test(prefix) ? placePaths(api, prefix) : [FILES];
    case "workspace": {
      const { workspaces } = await api.json<WorkspacesResponse>("/api/workspaces");
      return workspaces.map(({ name }) => name).filter((name) => name.startsWith(prefix));
    }
    case "tool": {
      const { tools } = await api.json<ToolsResponse>("tools", { query: { dialect: "mcp" } });
      return (tools as { name: string }[]).map(({ name }) => name).filter((name) => name.startsWith(prefix));
    }
    case "snapshot":
    case "shell":
    case "command":
    case "text":
      return [];
    default:
      return kind satisfies never;
  }
}

/** For `name:src/a`: the names in `src` that begin with `a`, each with its prefix. */
async function placePaths(api: Api, prefix: string): Promise<string[]> {
  const colon = prefix.indexOf(":");
  const name = prefix.slice(0, colon);
  const found = await remotePaths(name === "" ? api : api.forWorkspace(name), prefix.slice(colon + 1));
  return found.map((path) => prefix.slice(0, colon + 1) + path);
}

async function remotePaths(api: Api, prefix: string): Promise<string[]> {
  const slash = prefix.lastIndexOf("/") + 1;
  const folder = prefix.slice(0, slash);
  const found: string[] = [];
  for await (const { name, type } of remoteTree(api, joinRemote(remotePath(folder === "" ? "." : folder), ""), 1)) {
    if (!name.startsWith(prefix.slice(slash))) continue;
    if (name.startsWith(".") && prefix.slice(slash) === "") continue;
    found.push(`${folder}${name}${type === "directory" ? "/" : ""}`);
  }
  return found;
}
