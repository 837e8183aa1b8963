/** A user's Worker with everything: an agent of its own, a workspace over a binding, tools, git and the shell. */
import { DurableObject } from "cloudflare:workers";
import { createToolset, InMemoryFileStore, type Toolset } from "@cloudflare/fs-tools";
import { FsError, getWorkspace, Workspace, type WorkspaceNamespace, WorkspaceObject } from "@cloudflare/workspace";
import { FsError as CoreFsError, Workspace as CoreWorkspace } from "@cloudflare/workspace/core";
import { createGit, type Git } from "@cloudflare/workspace/git";
import { createShell, quoteWord, type Shell } from "@cloudflare/workspace/shell";

export { WorkspaceObject };

interface Env {
  WORKSPACE: WorkspaceNamespace;
  AGENT: DurableObjectNamespace<Agent>;
}

export class Agent extends DurableObject<Env> {
  workspace = new Workspace({ storage: this.ctx.storage });

  async work(): Promise<Record<string, unknown>> {
    const { fs } = this.workspace.as({ actor: "agent", callId: "one" });
    await fs.writeFile("/workspace/a.txt", "hello\n");
    const git: Git = this.workspace.git;
    await git.cli({ argv: ["init", "-q"] });
    await git.cli({ argv: ["add", "."] });
    await git.cli({ argv: ["commit", "-qm", "first"] });
    const shell: Shell = this.workspace.shell;
    const log = await (await shell.exec("git log --format=%s | cat; cat a.txt", { encoding: "utf8" })).result();
    const tools: Toolset = await createToolset({ workspace: this.workspace, actor: "model" });
    const read = await tools.handle("read", { path: "a.txt" });
    const missing: unknown = await fs.readFile("/workspace/none").catch((error: unknown) => error);
    const grep = await fs.grep("hello", "/workspace");
    return {
      log: log.stdout,
      read: read.structured,
      isFsError: missing instanceof FsError && missing instanceof CoreFsError && missing.code === "ENOENT",
      hits: grep.hits.length,
      quoted: quoteWord("it's"),
    };
  }
}

/** What `/core` leaves to the caller. */
export function composed(storage: DurableObjectStorage): CoreWorkspace {
  return new CoreWorkspace({ storage, git: createGit, shell: createShell });
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/agent") return Response.json(await env.AGENT.getByName("me").work());
    if (pathname === "/binding") {
      using ws = getWorkspace(env.WORKSPACE, "user-123");
      await ws.fs.writeFile("/workspace/a.md", "hi");
      return new Response(await ws.fs.readFile("/workspace/a.md", "utf8"));
    }
    const store = new InMemoryFileStore();
    const toolset = await createToolset({ store });
    await toolset.handle("write", { path: "/workspace/a.md", content: "hi" });
    return Response.json((await toolset.handle("read", { path: "/workspace/a.md" })).structured);
  },
};
