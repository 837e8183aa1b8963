/** just-bash, the published one, on a workspace's files. */
import { asJustBashFs } from "@cloudflare/workspace/adapters/just-bash";
import { Bash, getCommandNames } from "just-bash/browser";
import { describe, expect, it } from "vitest";
import { countWords } from "./examples/just-bash.ts";
import { inWorkspace, PLACES, withWorkspace } from "./with-workspace.ts";

describe.each(PLACES)("new Bash({ fs }) on a workspace %s", (place) => {
  it("runs scripts with pipes, redirections, loops and links, and the workspace has the files", () =>
    withWorkspace(place, async (workspace) => {
      const bash = new Bash({ fs: asJustBashFs(workspace.fs), cwd: "/workspace" });
      const script = `
        mkdir -p src/deep && cd src
        for n in 3 1 2; do echo "line $n" >> lines.txt; done
        sort lines.txt | tee sorted.txt > /dev/null
        ln -s sorted.txt link.txt && cp lines.txt deep/copy.txt && mv lines.txt deep/
        echo /wA= | base64 -d > bytes.bin
        chmod 755 sorted.txt && rm deep/copy.txt
        cat link.txt; ls deep; find . -type f | sort; [ -L link.txt ] && echo linked`;
      const { stdout, stderr, exitCode } = await bash.exec(script);
      expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
      expect(stdout).toBe("line 1\nline 2\nline 3\nlines.txt\n./bytes.bin\n./deep/lines.txt\n./sorted.txt\nlinked\n");
      expect(await workspace.fs.readFile("/workspace/src/bytes.bin")).toEqual(new Uint8Array([255, 0]));
      expect((await workspace.fs.stat("/workspace/src/sorted.txt")).mode & 0o777).toBe(0o755);
      expect((await bash.exec("cat none")).stderr).toContain("No such file or directory");
      expect((await bash.exec("cat none")).exitCode).toBe(1);
    }));

  it("runs the guide's example", () =>
    withWorkspace(place, async (workspace) => {
      expect(await countWords(workspace)).toBe("3 WORDS\n");
    }));
});

it("asJustBashFs shows the commands it is given where the workspace has a /usr/bin of its own", () =>
  inWorkspace(async (workspace) => {
    await workspace.fs.mkdir("/usr/bin", { recursive: true });
    const found = async (commands: string[]) =>
      (await new Bash({ fs: asJustBashFs(workspace.fs, { commands }) }).exec("cat /dev/null && echo ran")).stdout;
    expect(await found([])).toBe("");
    expect(await found(getCommandNames())).toBe("ran\n");
  }));
