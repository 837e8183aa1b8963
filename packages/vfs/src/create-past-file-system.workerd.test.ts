/** Views of the past: readers work as in the present, and what writes is EROFS or does not compile. */
import { inObject } from "@workspace/testing/in-object";
import { expect, it } from "vitest";
import { WRITE_VERBS } from "./api/write-verbs.ts";
import { createFileSystem, createHistory, createPastView, isWritable, pastView, restrictView } from "./index.ts";

const PATH = "/workspace/a.txt";

it("createPastView: a verb that writes is EROFS, with its own syscall", () =>
  inObject(async ({ volume }) => {
    const fs = createFileSystem(volume);
    await fs.writeFile(PATH, "old");
    const { cursor } = await fs.changes();
    await fs.writeFile(PATH, "new");
    const past = createPastView(volume, cursor).fs;
    for (const [verb, syscall] of Object.entries(WRITE_VERBS)) {
      const call = past[verb as keyof typeof WRITE_VERBS] as (path: string) => Promise<unknown>;
      await expect(call(PATH), verb).rejects.toMatchObject({ code: "EROFS", syscall });
    }
    expect(await past.readFile(PATH, "utf8")).toBe("old");
    expect(await fs.readFile(PATH, "utf8")).toBe("new");
  }));

it("createPastView: open reads, and refuses flags and calls that write", () =>
  inObject(async ({ volume }) => {
    const fs = createFileSystem(volume);
    await fs.writeFile(PATH, "old");
    const past = createPastView(volume, (await fs.changes()).cursor).fs;
    for (const flag of ["w", "a", "r+", "wx"])
      await expect(past.open(PATH, flag), flag).rejects.toMatchObject({ code: "EROFS", syscall: "open", path: PATH });
    await using file = await past.open(PATH);
    expect(await file.readFile("utf8")).toBe("old");
    await expect(file.chmod(0o600)).rejects.toMatchObject({ code: "EROFS", syscall: "fchmod" });
    await expect(file.write("x")).rejects.toMatchObject({ code: "EBADF" });
    await expect(past.readFile(PATH, { flag: "w+" })).rejects.toMatchObject({ code: "EROFS" });
  }));

it("pastView: is no WriteView, restricted or not", () =>
  inObject(async ({ volume }) => {
    await createFileSystem(volume).writeFile(PATH, "x");
    const { head } = volume.revisions;
    const past = pastView(volume, head);
    const restricted = pastView(restrictView(volume, { deny: [".env"] }), head);
    for (const view of [past, restricted]) {
      expect(isWritable(view)).toBe(false);
      // @ts-expect-error A past view has no `commit`.
      void (() => createFileSystem(view));
      // @ts-expect-error
      void (() => createHistory(view));
    }
    expect(isWritable(restrictView(volume, { deny: [".env"] }))).toBe(true);
  }));
