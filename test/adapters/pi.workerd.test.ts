/** pi's own coding tools work on a workspace. */
import { asPiOperations } from "@cloudflare/workspace/adapters/pi";
import { describe, expect, it } from "vitest";
import { piTools } from "./examples/pi.ts";
import { PLACES, withWorkspace } from "./with-workspace.ts";

describe.each(PLACES)("pi on a workspace %s", (place) => {
  it("its read, write, edit, bash, find and ls tools do their work there (the guide's example)", () =>
    withWorkspace(place, async (workspace) => {
      const tools = piTools(workspace);
      const use = async (name: string, args: object): Promise<string> => {
        const tool = tools.find((each) => each.name === name);
        const { content } = await tool!.execute("call", args as never);
        return content.map((part) => (part.type === "text" ? part.text : part.type)).join("");
      };
      await use("write", { path: "src/a.ts", content: "const a = 1;\n" });
      await use("edit", { path: "src/a.ts", edits: [{ oldText: "a = 1", newText: "a = $&" }] });
      expect(await use("read", { path: "src/a.ts" })).toContain("const a = $&;");
      expect(await use("bash", { command: "cat src/a.ts | wc -l; pwd" })).toBe("1\n/workspace\n");
      await expect(use("bash", { command: "echo no; exit 3" })).rejects.toThrow(/no[\s\S]*code 3/);
      await expect(use("bash", { command: "sleep 600", timeout: 1 })).rejects.toThrow("timed out after 1 seconds");
      expect(await use("find", { pattern: "*.ts" })).toBe("src/a.ts");
      expect(await use("ls", {})).toBe("src/");
      await expect(use("read", { path: "none" })).rejects.toThrow("ENOENT");
      expect(await workspace.fs.readFile("/workspace/src/a.ts", "utf8")).toBe("const a = $&;\n");
    }));

  it("asPiOperations leaves the host's environment on the host", () =>
    withWorkspace(place, async (workspace) => {
      let output = "";
      const { exitCode } = await asPiOperations(workspace).bash.exec("echo [$SECRET]", "/workspace", {
        onData: (data) => (output += data.toString()),
        env: { SECRET: "s" },
      });
      expect([exitCode, output]).toEqual([0, "[]\n"]);
    }));
});
