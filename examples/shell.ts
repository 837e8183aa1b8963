import { getWorkspace, type WorkspaceNamespace } from "@cloudflare/workspace";

export default {
  async fetch(_request: Request, env: { WORKSPACE: WorkspaceNamespace }): Promise<Response> {
    using ws = getWorkspace(env.WORKSPACE, "shell demo", { actor: "agent" });
    const message = "it's the first one";
    await ws.fs.writeMany([{ path: "/workspace/app/todo.txt", content: "buy milk\nwrite tests\n" }]);

    // A string runs through a shell, an array does not, and a template quotes its values.
    await (await ws.shell.exec("git init -q && git add .", { cwd: "/workspace/app" })).result();
    await (await ws.shell.exec(["git", "commit", "-qm", message], { cwd: "/workspace/app" })).result();
    const log = await (await ws.shell.exec`cd app && git log --format=%s && grep -c ${"milk"} todo.txt`).result();

    // Events arrive while it runs. `get` finds the execution again by its id, also after an eviction.
    const run = await ws.shell.exec("for i in 1 2 3; do echo step $i; done", { encoding: "utf8", timeoutMs: 10_000 });
    let steps = "";
    for await (const event of run) if (event.name === "stdout") steps += event.value;
    const again = await ws.shell.get(run.id, { resume: "full", encoding: "utf8" });
    const { exitCode, state, ranOn } = await again.result();
    return new Response(`${log.stdout}${steps}${state} with ${exitCode} on the ${ranOn}\n`);
  },
};
