import { Workspace } from "@cloudflare/workspace";

/** One call of an agent, looked at and taken back; then the whole tree as it was at a snapshot. */
export async function tryAndTakeBack(storage: DurableObjectStorage): Promise<string[]> {
  const ws = new Workspace({ storage });
  await ws.fs.writeFile("/workspace/a.ts", "one\n");
  const snap = await ws.snapshots.create("before the agent");
  const agent = ws.as({ actor: "coder", callId: "call-1" });
  await agent.fs.writeFile("/workspace/a.ts", "two\n");
  await agent.fs.rename("/workspace/a.ts", "/workspace/b.ts");
  const { entries } = await ws.history.log({ actor: "coder" });
  const { files } = await ws.history.diff({ from: snap.id });
  const then = await ws.at(snap.id).fs.readFile("/workspace/a.ts", "utf8");
  await ws.history.undo({ callId: "call-1" });
  await ws.snapshots.restore(snap.id);
  return [
    `${entries.length} changes`,
    `${files[0]?.status} ${files[0]?.path}`,
    then,
    ...(await ws.fs.readdir("/workspace")),
  ];
}
