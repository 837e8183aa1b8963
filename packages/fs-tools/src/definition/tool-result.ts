/** The result of a call: a string for the model, the same as data, and files that the model should view itself. */
export interface ToolResult {
  /** For the model: the text form if requested, otherwise `structured` as JSON; for an error its message. */
  content: string;
  /** Plain data; for an error `{ error: { code, message, … } }`, plus the output of a failed command. */
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

/** The return value of a handler; `content` is derived from it. */
export interface ToolOutput {
  structured: Record<string, unknown>;
  text?: string;
  isError?: true;
  files?: ToolFile[];
}

export function answer(structured: Record<string, unknown>, text?: string): ToolOutput {
  return text === undefined ? { structured } : { structured, text };
}
