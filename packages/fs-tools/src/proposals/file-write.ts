/** A write that awaits approval. */
export interface FileWrite {
  path: string;
  content: string;
  delete?: boolean;
}
