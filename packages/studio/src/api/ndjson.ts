/** Yields the values of an NDJSON response as they arrive. */
export async function* ndjson<T>(response: Response): AsyncGenerator<T> {
  for await (const line of lines(response)) if (line.trim() !== "") yield JSON.parse(line) as T;
}

/** The lines of a body, without line endings. */
export async function* lines(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const parts = (rest + value).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) yield line.endsWith("\r") ? line.slice(0, -1) : line;
    }
    if (rest !== "") yield rest;
  } finally {
    // A reader that stops early cancels the request too.
    await reader.cancel().catch(() => undefined);
  }
}
