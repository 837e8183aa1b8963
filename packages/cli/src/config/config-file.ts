/**
 * The stored configuration of `wsx login`: servers and their tokens, in one file that only its owner may read (0600, in a directory
 * of 0700), under XDG_CONFIG_HOME. It is replaced by a rename, so concurrent processes cannot leave a partial file.
 */
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CliError } from "../cli-error.ts";
import type { Io } from "../io.ts";

export interface ConfigFile {
  /** The default server. */
  url?: string;
  /** The default workspace. */
  workspace?: string;
  /** By origin. */
  tokens: Record<string, string>;
}

function configPath(env: Io["env"]): string {
  const base = env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : join(env.HOME ?? homedir(), ".config");
  return join(base, "wsx", "config.json");
}

export async function readConfig(env: Io["env"]): Promise<ConfigFile> {
  const path = configPath(env);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw new CliError("ECONFIG", `cannot read ${path}: ${error.message}`);
  });
  if (text === null) return { tokens: {} };
  // The file became readable for others; protecting its tokens takes precedence.
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600).catch(() => {});
  return parseConfig(text, path);
}

export async function writeConfig(env: Io["env"], config: ConfigFile): Promise<string> {
  const path = configPath(env);
  const temporary = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new CliError("ECONFIG", `cannot write ${path}: ${(error as Error).message}`);
  }
  return path;
}

function parseConfig(text: string, path: string): ConfigFile {
  const damaged = () =>
    new CliError("ECONFIG", `${path} is not what wsx wrote`, "Mend it or remove it, then `wsx login` again.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged();
  }
  const { url, workspace, tokens } = (value ?? {}) as Record<string, unknown>;
  const isText = (item: unknown) => item === undefined || typeof item === "string";
  const tokensFit =
    typeof tokens === "object" && tokens !== null && Object.values(tokens).every((t) => typeof t === "string");
  if (!isText(url) || !isText(workspace) || !tokensFit) throw damaged();
  return value as ConfigFile;
}
