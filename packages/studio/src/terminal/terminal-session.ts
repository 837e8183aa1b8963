/**
 * The terminal state of one workspace: the commands that ran, the selected one, and the next working directory. It outlives the
 * view; output is read from the server again, from the beginning, so that nothing depends on having watched.
 */
import { signal } from "@preact/signals";
import { asApiError } from "../api/api-error.ts";
import {
  commandEvents,
  type ExecEvent,
  type ExecRecord,
  killCommand,
  listCommands,
  startCommand,
} from "../api/exec.ts";
import { absolute } from "../api/path.ts";
import { stat } from "../api/tree.ts";
import { resolvePath } from "./resolve-path.ts";

export interface Screen {
  write(data: string | Uint8Array): void;
  clear(): void;
}

const MAX_RETAINED = 200;

export class TerminalSession {
  readonly records = signal<readonly ExecRecord[]>([]);
  readonly error = signal<unknown>(undefined);
  readonly shown = signal<ExecRecord | null>(null);
  /** Relative to the workspace's root. */
  readonly cwd = signal("");
  readonly keepsInput = signal(false);
  /** The screen has output, or will soon. */
  readonly used = signal(false);
  readonly typed: string[];
  #screen: Screen | null = null;
  #following: AbortController | null = null;

  constructor(readonly workspace: string) {
    this.typed = JSON.parse(localStorage.getItem(this.#key) ?? "[]") as string[];
  }

  get #key(): string {
    return `studio.typed.${this.workspace}`;
  }

  /** Shows the newest command again, running or not. */
  async attach(screen: Screen): Promise<void> {
    this.#screen = screen;
    await this.refresh();
    const last = this.shown.value ?? this.records.value[0];
    if (last !== undefined) this.show(last.id);
  }

  detach(): void {
    this.#following?.abort();
    this.#screen = null;
  }

  async refresh(): Promise<void> {
    try {
      this.records.value = await listCommands(this.workspace);
      this.error.value = undefined;
      const shown = this.records.value.find(({ id }) => id === this.shown.value?.id);
      if (shown !== undefined) this.shown.value = shown;
    } catch (failure) {
      this.error.value = asApiError(failure);
    }
  }

  async run(command: string): Promise<void> {
    this.#remember(command);
    this.used.value = true;
    const moved = /^\s*cd(?:\s+(\S+))?\s*$/.exec(command);
    if (moved !== null) return this.#move(moved[1] ?? "", command);
    this.#write(prompt(this.cwd.value, command));
    const stdin = this.keepsInput.value ? true : undefined;
    try {
      const { id } = await startCommand(this.workspace, { command, cwd: absolute(this.cwd.value), stdin });
      await this.refresh();
      this.shown.value = this.records.value.find((record) => record.id === id) ?? null;
      await this.#follow(id);
    } catch (failure) {
      const { message, hint } = asApiError(failure);
      this.#write(`\x1b[31m${message}\x1b[0m\n${hint === undefined ? "" : `\x1b[2m${hint}\x1b[0m\n`}`);
    }
  }

  /** Clears the screen and replays a command's output from its beginning. */
  show(id: string): void {
    const record = this.records.value.find((one) => one.id === id);
    if (record === undefined) return;
    this.shown.value = record;
    this.used.value = true;
    this.#screen?.clear();
    this.#write(prompt(record.cwd.replace(/^\/workspace\/?/, ""), commandText(record)));
    this.#follow(id).catch((failure) => this.#write(`\x1b[31m${asApiError(failure).message}\x1b[0m\n`));
  }

  async kill(signal: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<void> {
    const { value: record } = this.shown;
    if (record?.state === "running") await killCommand(this.workspace, record.id, signal);
  }

  clear(): void {
    this.#screen?.clear();
  }

  async #follow(id: string): Promise<void> {
    this.#following?.abort();
    const controller = new AbortController();
    this.#following = controller;
    try {
      for await (const event of commandEvents(this.workspace, id, controller.signal)) this.#print(event);
    } catch (failure) {
      if (!controller.signal.aborted) throw failure;
      return;
    }
    if (!controller.signal.aborted) await this.refresh();
  }

  #print(event: ExecEvent): void {
    if (event.name === "exit") {
      const { state, exitCode, reason, signal } = event.value;
      const words =
        state === "exited"
          ? exitCode === 0
            ? ""
            : `exit ${exitCode}`
          : [state, signal, reason].filter(Boolean).join(" ");
      if (words !== "") this.#write(`\x1b[2m[${words}]\x1b[0m\n`);
      return;
    }
    this.#write(typeof event.value === "string" ? event.value : decodeBase64(event.value.base64));
  }

  #write(data: string | Uint8Array): void {
    this.#screen?.write(data);
  }

  async #move(to: string, command: string): Promise<void> {
    this.#write(prompt(this.cwd.value, command));
    const path = resolvePath(this.cwd.value, to);
    const found =
      path === ""
        ? "directory"
        : await stat(this.workspace, path).then(
            ({ type }) => type,
            () => null,
          );
    if (found === "directory" || found === "symlink") this.cwd.value = path;
    else this.#write(`\x1b[31mcd: ${to}: ${found === null ? "no such directory" : "not a directory"}\x1b[0m\n`);
  }

  #remember(command: string): void {
    if (this.typed.at(-1) !== command) this.typed.push(command);
    this.typed.splice(0, this.typed.length - MAX_RETAINED);
    localStorage.setItem(this.#key, JSON.stringify(this.typed));
  }
}

export function commandText({ command }: Pick<ExecRecord, "command">): string {
  return typeof command === "string" ? command : command.join(" ");
}

function prompt(cwd: string, command: string): string {
  return `\x1b[1;36m${cwd === "" ? "~" : cwd}\x1b[0m \x1b[2m$\x1b[0m \x1b[1m${command}\x1b[0m\n`;
}

function decodeBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
