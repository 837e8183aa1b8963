/** An execution as the API shows it, and with its result when it has ended. */
import type { Shell, ExecRecord as ShellRecord } from "@cloudflare/workspace/shell";
import type { ExecDetail, ExecRecord } from "../api/exec.ts";
import { HttpError } from "../errors/http-error.ts";

export function execRecord({ startedMs, endedMs, command, ...rest }: ShellRecord): ExecRecord {
  return {
    ...rest,
    command: typeof command === "string" ? command : [...command],
    startedAt: startedMs,
    endedAt: endedMs,
  };
}

export async function execDetail(shell: Shell, id: string): Promise<ExecDetail> {
  const record = (await shell.list()).find((one) => one.id === id);
  if (record === undefined)
    throw new HttpError("ENOENT", `there is no execution "${id.slice(0, 100)}"`, { hint: "GET exec lists them." });
  if (record.state === "running") return execRecord(record);
  await using handle = await shell.get(id, { encoding: "utf8" });
  const { stdout, stderr, truncated, output, sync, changed } = await handle.result();
  return {
    ...execRecord(record),
    stdout,
    stderr,
    truncated,
    output,
    ...(sync && { sync }),
    ...(changed && { changed }),
  };
}
