/** What a call gives back: a string for the model, the same as data, and files where the model should look at them itself. */
export interface ToolResult {
  /** For the model: the text form when it was asked for, otherwise `structured` as JSON; for an error its sentence. */
  content: string;
  /** Plain data; for an error `{ error: { code, message, … } }`, beside what a failed command printed. */
  structured: Record<string, unknown>;
  isError?: true;
  /** Images and PDFs. */
  files?: ToolFile[];
}

export interface ToolFile {
  mediaType: string;
  filename: string;
  /** Base64. */
  data: string;
}

/** What a handler returns; `content` is made from it. */
export interface ToolOutput {
  structured: Record<string, unknown>;
  text?: string;
  isError?: true;
  files?: ToolFile[];
}

export function answer(structured: Record<string, unknown>, text?: string): ToolOutput {
  return text === undefined ? { structured } : { structured, text };
}
