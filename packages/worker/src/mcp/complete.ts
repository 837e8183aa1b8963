/** `completion/complete` of the template's `path`: names in the directory typed so far. */
import { FsError } from "@cloudflare/workspace";
import { HttpError } from "../errors/http-error.ts";
import { ROOT } from "../http/workspace-path.ts";
import { resolveExisting } from "../routes/files/resolve-path.ts";
import { MCP_LIMITS } from "./limits.ts";
import type { McpContext } from "./mcp-context.ts";
import { objectParam, textParam } from "./params.ts";
import { type Params, RPC_ERRORS, RpcError } from "./protocol.ts";
import { resourceTemplate } from "./resource-uri.ts";

export async function complete({ workspace, name }: McpContext, params: Params): Promise<Record<string, unknown>> {
  const ref = objectParam(params, "ref");
  const argument = objectParam(params, "argument");
  const known = ref.type === "ref/resource" && ref.uri === resourceTemplate(name) && argument.name === "path";
  if (!known) throw new RpcError(RPC_ERRORS.invalidParams, "there is nothing to complete but the template's path");
  const typed = argument.value === "" ? "" : textParam(argument, "value", MCP_LIMITS.uriLength);
  const slash = typed.lastIndexOf("/") + 1;
  const names = typed
    .slice(0, slash)
    .split("/")
    .filter((one) => one !== "");
  const values: string[] = [];
  if (!names.includes("..") && !typed.includes("\0")) {
    for (const found of await completionEntries({ workspace, path: [ROOT, ...names].join("/") })) {
      if (found.name.startsWith(typed.slice(slash)))
        values.push(`${typed.slice(0, slash)}${found.name}${found.directory ? "/" : ""}`);
    }
  }
  return {
    completion: { values: values.slice(0, MCP_LIMITS.completions), hasMore: values.length > MCP_LIMITS.completions },
  };
}

async function completionEntries({ workspace, path }: { workspace: McpContext["workspace"]; path: string }) {
  try {
    const found = await resolveExisting(workspace.fs, path);
    const page = await workspace.fs.scan(found.path, { limit: MCP_LIMITS.directoryEntries });
    return page.map(({ name, stat }) => ({ name, directory: stat.type === "dir" }));
  } catch (error) {
    // A path that does not resolve has no completions.
    if (error instanceof FsError || error instanceof HttpError) return [];
    throw error;
  }
}
