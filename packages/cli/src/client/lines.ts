/** Reads a body as lines of text of limited length; text after the last line break is a line too. */
import { CliError } from "../cli-error.ts";

const MAX_LINE = 64 * 1024 * 1024;

export async function* readLines(body: AsyncIterable<Uint8Array>, ending: RegExp = /\r?\n/): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split(ending);
    rest = pieces.pop() ?? "";
    yield* pieces;
    if (rest.length > MAX_LINE) throw new CliError("EPROTO", "a line of the answer is longer than 64 MiB");
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

/** Newline-delimited JSON; an invalid line is reported as the server's fault. */
export async function* readJsonLines<Message>(response: Response): AsyncGenerator<Message> {
  if (response.body === null) return;
  for await (const line of readLines(response.body as unknown as AsyncIterable<Uint8Array>)) {
    if (line.trim() === "") continue;
    try {
      yield JSON.parse(line) as Message;
    } catch {
      throw new CliError("EPROTO", "a line of the server's answer is not JSON");
    }
  }
}
