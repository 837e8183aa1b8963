/**
 * `wsx edit`: opens a file of the workspace in $EDITOR and writes it back only if its version (ETag, `If-Match`) is still the one
 * that was opened. On a conflict it overwrites nothing, keeps the edited text in a temporary file, and prints that file's path.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CliError } from "../cli-error.ts";
import { baseName, filesRoute, remotePath, shownPath } from "../client/remote-path.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { note, print } from "../format/print.ts";

export const edit = defineCommand({
  name: "edit",
  summary: "Open a file in your editor, and write it back unless it changed in the meantime",
  flags: {
    create: { long: "--create", short: "-c", value: "none", help: "Create the file if it does not exist" },
  },
  operands: [{ name: "path", kind: "remote-path" }],
  notes: "The editor is VISUAL, EDITOR, or vi. It must stay in the foreground (for VS Code: EDITOR='code --wait').",
  examples: ["wsx edit src/app.ts", "EDITOR=nano wsx edit -c notes.md"],
  async run(context, { flags, operands: [given = ""] }) {
    const path = remotePath(given);
    const opened = await openRemote(context, path, flags.create === true);
    const folder = await mkdtemp(join(tmpdir(), "wsx-"));
    const local = join(folder, baseName(path));
    await writeFile(local, opened.bytes, { mode: 0o600 });
    const argv = editorCommand(context.io.env);
    const exitCode = await context.io.foreground([...argv, local]);
    const edited = await readFile(local);
    const same = Buffer.compare(edited, opened.bytes) === 0;
    if (exitCode !== 0) {
      if (same) await rm(folder, { recursive: true });
      throw new CliError(
        "EEDITOR",
        `${argv[0]} ended with ${exitCode}, so nothing was written`,
        same ? undefined : `What you typed is in ${local}.`,
      );
    }
    if (same) {
      await rm(folder, { recursive: true });
      await note(context, "unchanged");
      await print(context, { path, version: versionIn(opened.tag), changed: false }, () => "");
      return 0;
    }
    const version = await writeBack(context, path, { bytes: edited, tag: opened.tag, local });
    await rm(folder, { recursive: true });
    await print(context, { path, version, changed: true }, () => "");
    return 0;
  },
});

interface Opened {
  bytes: Uint8Array;
  /** Its ETag; null: the file does not exist yet. */
  tag: string | null;
}

async function openRemote({ api }: CommandContext, path: string, create: boolean): Promise<Opened> {
  try {
    const response = await api.send(filesRoute(path));
    if (response.headers.get("ETag") === null)
      throw new CliError("EISDIR", `${shownPath(path)} is a directory`, undefined, path);
    return { bytes: Buffer.from(await response.arrayBuffer()), tag: response.headers.get("ETag") };
  } catch (error) {
    if (create && error instanceof CliError && error.code === "ENOENT") return { bytes: Buffer.alloc(0), tag: null };
    throw error;
  }
}

async function writeBack(
  { api }: CommandContext,
  path: string,
  { bytes, tag, local }: Opened & { local: string },
): Promise<string | null> {
  try {
    const response = await api.send(filesRoute(path), {
      method: "PUT",
      headers: {
        "Content-Type": "application/octet-stream",
        ...(tag === null ? { "If-None-Match": "*" } : { "If-Match": tag }),
      },
      body: new Uint8Array(bytes),
    });
    await response.body?.cancel();
    return versionIn(response.headers.get("ETag"));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const reason =
      error.code === "ESTALE" ? "the file changed in the meantime; nothing was overwritten" : error.message;
    throw new CliError(error.code, reason, `What you typed is in ${local}.`, path);
  }
}

/** An ETag without its quotes. */
function versionIn(tag: string | null): string | null {
  return /^"(.*)"$/.exec(tag ?? "")?.[1] ?? null;
}

/** With its own arguments, as in git; split at spaces. */
function editorCommand(env: CommandContext["io"]["env"]): string[] {
  return (env.VISUAL || env.EDITOR || "vi").split(/\s+/).filter((word) => word !== "");
}
