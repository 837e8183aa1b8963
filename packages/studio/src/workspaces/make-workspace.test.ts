import { describe, expect, it } from "vitest";
import { archiveFormat } from "./make-workspace.ts";

describe("archiveFormat", () => {
  it("archiveFormat goes by the end of the name, and knows what cannot be unpacked", () => {
    expect(["a.zip", "A.ZIP", "a.tar", "a.tar.gz", "a.tgz"].map(archiveFormat)).toEqual([
      "zip",
      "zip",
      "tar",
      "tar",
      "tar",
    ]);
    expect(["a.rar", "a.gz", "zip", "a.tar.xz"].map(archiveFormat)).toEqual([null, null, null, null]);
  });
});
