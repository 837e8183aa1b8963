/** Scenarios and trees as JSON: bytes become base64 under a key of their own. */

const KEY = "$base64";

export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, found: unknown) =>
    found instanceof Uint8Array ? { [KEY]: Buffer.from(found).toString("base64") } : found,
  );
}

export function fromJson<T>(text: string): T {
  return JSON.parse(text, (_, found: unknown) => {
    const isBytes = typeof found === "object" && found !== null && KEY in found;
    return isBytes ? new Uint8Array(Buffer.from((found as Record<string, string>)[KEY] as string, "base64")) : found;
  }) as T;
}
