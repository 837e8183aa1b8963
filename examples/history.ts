import { Workspace } from "@cloudflare/workspace";

/** Inspects one call of an agent, undoes it, then restores the whole tree to a snapshot. */
export async function inspectAndUndo(storage: DurableObjectStorage): Promise<string[]> {
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
