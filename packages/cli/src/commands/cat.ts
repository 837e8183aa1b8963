/** `wsx cat`: prints the bytes of files unchanged. */
import { filesRoute, remotePath } from "../client/remote-path.ts";
import { defineCommand } from "../command.ts";

export const cat = defineCommand({
  name: "cat",
  summary: "Print files",
  flags: {
    range: {
      long: "--range",
      short: "-r",
      value: "string",
      arg: "<from-to>",
      help: "Only these bytes: 0-99, 100- or -100",
    },
  },
  operands: [{ name: "path", kind: "remote-path", many: true }],
  notes:
    "With --json, one line per file: { path, version, content }, or { path, version, base64 } if the bytes are not UTF-8.",
  examples: ["wsx cat README.md", "wsx cat -r 0-99 log.txt"],
  async run({ api, io, json }, { flags, operands }) {
    for (const path of operands.map(remotePath)) {
      const headers: Record<string, string> = flags.range === undefined ? {} : { Range: `bytes=${flags.range}` };
      const response = await api.send(filesRoute(path), { headers });
      if (json) {
        const version = /^"(.*)"$/.exec(response.headers.get("ETag") ?? "")?.[1] ?? null;
        await io.out(
          `${JSON.stringify({ path, version, ...textOrBase64(new Uint8Array(await response.arrayBuffer())) })}\n`,
        );
      } else if (response.body !== null) {
        for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) await io.out(chunk);
      }
    }
    return 0;
  },
});

function textOrBase64(bytes: Uint8Array): { content: string } | { base64: string } {
  try {
    return { content: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { base64: Buffer.from(bytes).toString("base64") };
  }
}
