import { describe, expect, it } from "vitest";
import { Folder } from "./folder.ts";

describe("Folder", () => {
  it("Folder keeps folders before files, in order, whether they come in a page or one by one, and each once", () => {
    const folder = new Folder();
    folder.put("m.txt", "file");
    folder.add([
      { name: "b", type: "directory" },
      { name: "c.txt", type: "file" },
      { name: "m.txt", type: "file" },
    ]);
    folder.put("a", "directory");
    folder.put("d.txt", "symlink");
    expect([folder.folders, folder.files, folder.count]).toEqual([
      ["a", "b"],
      ["m.txt", "c.txt", "d.txt"].toSorted(),
      5,
    ]);
  });

  it("Folder follows an entry that becomes another kind of thing, and forgets what is removed", () => {
    const folder = new Folder();
    folder.put("x", "file");
    folder.put("x", "directory");
    expect([folder.folders, folder.files]).toEqual([["x"], []]);
    folder.remove("x");
    folder.remove("never there");
    expect(folder.count).toBe(0);
  });
});
