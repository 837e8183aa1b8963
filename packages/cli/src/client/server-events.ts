/** Parses an SSE body. Comments are dropped; `id` stays valid until the next one, as the standard requires. */
import { readLines } from "./lines.ts";

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | null;
}

export async function* readServerSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let event = "";
  let data: string[] = [];
  let id: string | null = null;
  for await (const line of readLines(body, /\r\n|\n|\r(?!$)/)) {
    if (line === "" || line === "\r") {
      if (data.length > 0) yield { event: event === "" ? "message" : event, data: data.join("\n"), id };
      event = "";
      data = [];
      continue;
    }
    const { field, value } = parseEventField(line);
    if (field === "event") event = value;
    else if (field === "data") data.push(value);
    else if (field === "id" && !value.includes("\0")) id = value;
  }
}

function parseEventField(line: string): { field: string; value: string } {
  const colon = line.indexOf(":");
  if (colon === -1) return { field: line, value: "" };
  const value = line.slice(colon + 1);
  return { field: line.slice(0, colon), value: value.startsWith(" ") ? value.slice(1) : value };
}
