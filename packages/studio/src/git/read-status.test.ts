import { describe, expect, it } from "vitest";
import { parseStatus } from "./read-status.ts";

const zeros = "0000000000000000000000000000000000000000";

describe("parseStatus", () => {
  it("parseStatus reads branch, upstream, both sides of a path, renames, conflicts and names with spaces", () => {
    const text = [
      `# branch.oid ${zeros}`,
      "# branch.head main",
      "# branch.upstream origin/main",
      "# branch.ab +2 -1",
      `1 MM N... 100644 100644 100644 ${zeros} ${zeros} a file.txt`,
      `1 .D N... 100644 100644 000000 ${zeros} ${zeros} gone.txt`,
      `2 R. N... 100644 100644 100644 ${zeros} ${zeros} R100 new name.txt`,
      "old name.txt",
      `u UU N... 100644 100644 100644 100644 ${zeros} ${zeros} ${zeros} both.txt`,
      "? not known.txt",
      "",
    ].join("\0");
    expect(parseStatus(text)).toEqual({
      branch: "main",
      oid: zeros,
      upstream: "origin/main",
      ahead: 2,
      behind: 1,
      staged: [
        { path: "a file.txt", letter: "M" },
        { path: "new name.txt", from: "old name.txt", letter: "R" },
      ],
      unstaged: [
        { path: "a file.txt", letter: "M" },
        { path: "gone.txt", letter: "D" },
        { path: "not known.txt", letter: "?" },
      ],
      conflicts: [{ path: "both.txt", letter: "U" }],
    });
  });

  it("parseStatus knows a repository without a commit, and a head that is on no branch", () => {
    expect(parseStatus("# branch.oid (initial)\0# branch.head main\0")).toMatchObject({ oid: null, branch: "main" });
    expect(parseStatus(`# branch.oid ${zeros}\0# branch.head (detached)\0`)).toMatchObject({ branch: null });
  });
});
