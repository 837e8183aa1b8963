/** `history.purge` on the real file: what it erases is in no page of the database, used or free, once the write-ahead log is checkpointed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FRAGMENTED, markerOf, type PurgeCall, type PurgeCase, purgeCases } from "./purge-cases.ts";
import { createRuntime, type Runtime } from "./runtime.ts";

const ABORTED: readonly string[] = ["an aborted stream", "an abandoned handle"];

describe("history.purge", () => {
  let runtime: Runtime<PurgeCall>;
  let counts: Record<"before" | "after", Map<PurgeCase, number>>;
  const reports = new Map<PurgeCase, unknown>();

  // All cases in three runs of the runtime: their databases are read when it has ended.
  beforeAll(async () => {
    runtime = await createRuntime<PurgeCall>("purge-object.ts");
    await runtime.start();
    for (const name of purgeCases) await runtime.call(nameOf(name), { do: "write", name });
    await runtime.kill();
    const before = countMarkers();
    await runtime.start();
    for (const name of purgeCases) {
      // Only the running object knows what an aborted write left.
      if (ABORTED.includes(name)) await runtime.call(nameOf(name), { do: "write", name }).catch(() => {});
      await runtime.call(nameOf(name), { do: "purge", name });
      reports.set(name, await runtime.call(nameOf(name), { do: "fsck", name }));
    }
    await runtime.kill();
    counts = { before, after: countMarkers() };
  });

  afterAll(() => runtime[Symbol.asyncDispose]());

  /** How often each case's marker is in all databases, after a checkpoint of their write-ahead logs. */
  function countMarkers(): Map<PurgeCase, number> {
    const found = new Map<PurgeCase, number>(purgeCases.map((name) => [name, 0]));
    for (const folder of readdirSync(runtime.disk)) {
      for (const file of readdirSync(join(runtime.disk, folder)).filter((each) => each.endsWith(".sqlite"))) {
        const path = join(runtime.disk, folder, file);
        const database = new DatabaseSync(path);
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        database.close();
        const bytes = readFileSync(path, "latin1");
        for (const [name, count] of found) found.set(name, count + bytes.split(markerOf(name)).length - 1);
      }
    }
    return found;
  }

  it.each(purgeCases.filter((name) => name !== FRAGMENTED))("leaves no byte of %s in the file", (name) => {
    expect(counts.before.get(name)).toBeGreaterThan(0);
    expect(counts.after.get(name)).toBe(0);
    expect(reports.get(name)).toMatchObject({ ok: true, problems: [] });
  });

  it(`leaves only fragments of ${FRAGMENTED}`, () => {
    expect(counts.before.get(FRAGMENTED)).toBeGreaterThan(1000);
    expect(counts.after.get(FRAGMENTED)).toBeLessThan(50);
    expect(reports.get(FRAGMENTED)).toMatchObject({ ok: true, problems: [] });
  });
});

function nameOf(name: PurgeCase): string {
  return name.replaceAll(" ", "-");
}
