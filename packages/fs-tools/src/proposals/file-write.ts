/** A write that waits for somebody's consent. */
export interface FileWrite {
  path: string;
  content: string;
  delete?: boolean;
}
