/**
 * Runs the machine's own programs for contenders that live in Node. A shell starts them, as it would for a person: to fork Node
 * with its heap would cost more than the work. One shell for all; it ends with the process that it reads its commands from.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";

let started: NativeShell | undefined;

export function nativeShell(): NativeShell {
  started ??= new NativeShell();
  return started;
}

export class NativeShell {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;

  constructor() {
    this.#child = spawn("/bin/sh", { stdio: ["pipe", "pipe", "inherit"] });
    this.#child.unref();
    for (const pipe of this.#pipes()) pipe.unref();
  }

  /** The program's complete output, as text. */
  async run(cwd: string, argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    for (const pipe of this.#pipes()) pipe.ref();
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
    const command = ["env", ...variables, ...argv.map(quoted)].join(" ");
    this.#child.stdin.write(`cd ${quoted(cwd)} && ${command} </dev/null; printf '\\0%d\\n' $?\n`);
    const [text, status] = await this.#answer();
    for (const pipe of this.#pipes()) pipe.unref();
    return { text, status };
  }

  /** Until a NUL, a status and a line feed: no text of ours holds a NUL. */
  #answer(): Promise<[text: string, status: number]> {
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      const take = (data: Buffer) => {
        parts.push(data);
        if (data.at(-1) !== 0x0a || !parts.slice(-2).some((part) => part.includes(0))) return;
        const all = Buffer.concat(parts);
        const end = all.lastIndexOf(0);
        this.#child.stdout.off("data", take);
        this.#child.off("exit", reject);
        resolve([all.subarray(0, end).toString("utf8"), Number(all.subarray(end + 1).toString("utf8"))]);
      };
      this.#child.stdout.on("data", take);
      this.#child.once("exit", reject);
    });
  }

  /** Pipes of a child are sockets: unref keeps them from holding the process. */
  #pipes(): Socket[] {
    return [this.#child.stdin, this.#child.stdout] as unknown as Socket[];
  }
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", () => "'\\''")}'`;
}
