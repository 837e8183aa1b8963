/** An execution as the API shows it: secrets of its command line redacted, and its result once it has ended. */
import type { Shell, ExecRecord as ShellRecord } from "@cloudflare/workspace/shell";
import type { ExecDetail, ExecRecord } from "../../api/exec.ts";
import { HttpError } from "../../errors/http-error.ts";

/** A reader of the workspace must not see the passwords passed to its commands. */
export async function execRecords(records: readonly ShellRecord[]): Promise<ExecRecord[]> {
  const { redactCommand } = await import("@cloudflare/fs-tools");
  return records.map(({ startedMs, endedMs, command, ...rest }) => ({
    ...rest,
    command: redactCommand(command),
    startedAt: startedMs,
    endedAt: endedMs,
  }));
}

export async function execDetail(shell: Shell, id: string): Promise<ExecDetail> {
  const record = (await shell.list()).find((one) => one.id === id);
  if (record === undefined)
    throw new HttpError("ENOENT", `there is no execution "${id.slice(0, 100)}"`, { hint: "GET exec lists them." });
  const [shown] = (await execRecords([record])) as [ExecRecord];
  if (record.state === "running") return shown;
  await using handle = await shell.get(id, { encoding: "utf8" });
  const { stdout, stderr, truncated, output, sync, changed } = await handle.result();
  return {
    ...shown,
    stdout,
    stderr,
    truncated,
    output,
    ...(sync && { sync }),
    ...(changed && { changed }),
  };
}
