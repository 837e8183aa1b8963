/** What a command printed is complete, however busy the daemon is when the command ends. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CommandProcess } from "./exec/command-process.ts";

const busyUntil = (isDone: () => boolean) => {
  for (const end = Date.now() + 10_000; !isDone() && Date.now() < end; );
};

const busyFor = (ms: number) => {
  const end = Date.now() + ms;
  busyUntil(() => Date.now() > end);
};

/** All that it printed, when it has ended. */
async function printed({ output }: CommandProcess): Promise<string> {
  await new Promise<void>((resolve) => {
    const look = () => output.ended && resolve();
    output.listen(look);
    look();
  });
  let text = "";
  for (let seq = 0, event = output.after(seq); event; event = output.after(++seq))
    if (event.name !== "exit") text += event.bytes.toString();
  return text;
}

it("CommandProcess delivers all output when the exit event comes before the last bytes", async () => {
  const directory = mkdtempSync(join(tmpdir(), "workspace-output-"));
  const ignore = () => {};
  process.on("SIGUSR2", ignore);
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const client = connect((server.address() as { port: number }).port, "127.0.0.1");
  const socket = await accepted;
  try {
    const [go, done] = [join(directory, "go"), join(directory, "done")];
    const script = `until [ -e ${go} ]; do sleep 0.005; done; printf whole; (sleep 0.03; : > ${done}) > /dev/null 2>&1 &`;
    const command = await CommandProcess.start({
      id: "whole",
      argv: ["/bin/sh", "-c", script],
      cwd: directory,
      env: { PATH: process.env.PATH ?? "" },
      stdin: false,
      timeoutMs: 0,
      owner: null,
    });
    // The loop gets a signal and these bytes at once. While it is busy with the bytes, the command prints and ends: then signals
    // come next, the end of the command among them. Then it is busy again, and only after that does it read the output.
    socket.once("data", () => {
      writeFileSync(go, "");
      busyUntil(() => existsSync(done));
      setImmediate(() => busyFor(60));
    });
    client.write("x");
    process.kill(process.pid, "SIGUSR2");
    busyFor(50);
    expect(await printed(command)).toBe("whole");
  } finally {
    process.off("SIGUSR2", ignore);
    client.destroy();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
