/** `wsx` as people run it, for end-to-end tests: its own process, with a configuration directory of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../support/root.ts";

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface WsxOptions {
  input?: string | Uint8Array;
  cwd?: string;
  env?: Record<string, string>;
  /** The Node that runs it; the project's own by default. */
  node?: string;
}

export const WSX = join(root, "packages/cli/bin/wsx.mjs");

export class Wsx {
  constructor(
    readonly home: string,
    readonly env: Record<string, string>,
  ) {}

  start(
    argv: readonly string[],
    { cwd = this.home, env = {}, node = process.execPath }: WsxOptions = {},
  ): ChildProcessWithoutNullStreams {
    const own = { ...process.env, XDG_CONFIG_HOME: join(this.home, "config"), NO_COLOR: "1", ...this.env, ...env };
    return spawn(node, [WSX, ...argv], { cwd, env: own });
  }

  async run(argv: readonly string[], options: WsxOptions = {}): Promise<Ran> {
    const child = this.start(argv, options);
    const ran: Ran = { code: null, out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text) => (ran.out += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (ran.err += text));
    child.stdin.on("error", () => {});
    child.stdin.end(options.input);
    [ran.code] = (await once(child, "close")) as [number | null];
    return ran;
  }

  /** What it prints; a failure is thrown with what it said. */
  async out(...argv: string[]): Promise<string> {
    const { code, out, err } = await this.run(argv);
    if (code !== 0) throw new Error(`wsx ${argv.join(" ")} ended with ${code}: ${err}`);
    return out;
  }

  async json<T>(...argv: string[]): Promise<T> {
    return JSON.parse(await this.out(...argv, "--json")) as T;
  }
}
