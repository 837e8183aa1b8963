/** The calls that the tools stand on, made directly: what a tool costs is the difference. docs/performance.md says which and why. */

import { generateUnifiedPatch } from "@cloudflare/fs-tools";
import { Workspace } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { applyHunks, parsePatch } from "@workspace/text";
import type { Contender } from "../contender.ts";
import { AGENT, exposePort, preparations, runner, webFetch } from "../suites/tools/tool-host.ts";
import { contender as ours } from "./ours.ts";

type Input = Readonly<Record<string, unknown>>;
type Calls = Readonly<Record<string, (input: Input) => Promise<unknown>>>;

const text = (value: unknown) => value as string;
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const EVERY = 1_000_000;

export const contender: Contender = {
  id: "beneath",
  singleStatements: true,
  async start(storage) {
    const subject = await ours.start(storage);
    const workspace = new Workspace({ storage });
    const calls: Calls = {
      ...looking(workspace),
      ...changing(workspace),
      ...running(workspace),
      ...outside(workspace),
    };
    return {
      ...subject,
      tool: async (name, input) => {
        const call = calls[name];
        if (call === undefined) throw new Error(`there is no call beneath ${name}`);
        return call(input);
      },
      prepareTool: async (name, count) => preparations[name]?.(workspace, count),
    };
  },
};

function looking({ fs }: Workspace): Calls {
  return {
    // The text, its version and how many lines it has.
    read: async ({ path }) => {
      const { content, version, stat } = await fs.read(text(path));
      const whole = decoder.decode(content);
      return { content: whole, version, size: stat.size, totalLines: whole.split("\n").length };
    },
    exists: ({ path }) => fs.exists(text(path)),
    info: ({ path }) => fs.lstat(text(path)),
    list: ({ path }) => fs.scan(text(path)),
    tree: ({ path, depth = 2 }) => fs.tree(text(path), { depth: depth as number }),
    glob: ({ pattern, cwd }) => fs.glob(text(pattern), { cwd: text(cwd), dirs: false }),
    find: ({ path, name }) => fs.find(text(path), { name: text(name) }),
    stats: ({ path }) => fs.du(text(path)),
    changes: ({ path, limit }) => fs.changes({ path: text(path), limit: limit as number }),
    grep: ({ pattern, path }) => fs.grep(text(pattern), text(path), { maxHits: 200 }),
  };
}

function changing({ fs }: Workspace): Calls {
  return {
    write: ({ path, content }) => fs.writeFile(text(path), text(content)),
    // The diff is part of the answer.
    edit: async ({ path, oldString, newString }) => {
      const before = await fs.readFile(text(path), "utf8");
      const after = before.replace(text(oldString), () => text(newString));
      const { version } = await fs.writeFile(text(path), after);
      return { version, diff: generateUnifiedPatch(text(path), before, after) };
    },
    apply_patch: async ({ path, patch }) => {
      const [file] = parsePatch(`--- a/file\n+++ b/file\n${text(patch)}`);
      const { content } = applyHunks(await fs.readFile(text(path)), file?.hunks ?? []);
      return fs.writeFile(text(path), content);
    },
    move: ({ from, to }) => fs.rename(text(from), text(to)),
    copy: ({ from, to }) => fs.cp(text(from), text(to)),
    delete: ({ path }) => fs.rm(text(path)),
  };
}

function running(workspace: Workspace): Calls {
  return {
    undo: ({ callId }) => workspace.history.undo({ callId: text(callId) }),
    exec: async ({ command }) => (await workspace.shell.exec(text(command), { encoding: "utf8" })).result(),
    exec_output: async ({ id }) => (await workspace.shell.get(text(id), { encoding: "utf8", resume: "full" })).result(),
    exec_kill: async ({ id }) => (await workspace.shell.get(text(id), { encoding: "utf8" })).kill("SIGTERM"),
    git: ({ argv, cwd }) => workspace.git.cli({ argv: [...(argv as string[])], cwd: text(cwd) }),
  };
}

function outside({ [internals]: { toolState } }: Workspace): Calls {
  return {
    browse: ({ port }) => exposePort(port as number),
    web_fetch: async ({ url }) => (await webFetch(text(url))).text(),
    web_search: async ({ query, provider }) => {
      const base = provider === "brave" ? "https://api.search.brave.com/search" : "https://api.tavily.com/search";
      return (await webFetch(`${base}?q=${encodeURIComponent(text(query))}`)).json();
    },
    agent_spawn: async ({ task }) => {
      await toolState.reserveAgent(AGENT, EVERY);
      return runner({ agentId: "one", parentId: AGENT, task: text(task), role: "coder", depth: 1 });
    },
    agent_send: ({ targetAgentId, message }) =>
      toolState.send(
        { from: AGENT, to: text(targetAgentId), text: text(message), timeMs: Date.now() },
        { queue: EVERY, perMinute: EVERY, perSenderMinute: EVERY },
      ),
  };
}
