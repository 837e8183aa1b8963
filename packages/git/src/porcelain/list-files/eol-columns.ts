/** The columns of `ls-files --eol`: line endings in the index, in the work tree, and by attributes. */
import { openAttributes } from "../../attributes/attributes.ts";
import { eolAttribute, eolOf } from "../../convert/eol-info.ts";
import { stagedContent } from "../../diff/staged-files.ts";
import type { IndexEntry } from "../../index/index-entry.ts";
import { isFileMode } from "../../object/file-mode.ts";
import type { Repository } from "../../repository.ts";

export interface EolColumns {
  readonly index: string;
  readonly work: string;
  readonly attribute: string;
  /** All three columns, padded, with the tab. */
  readonly text: string;
}

export async function openEolColumns(repo: Repository) {
  const { fs, workTree } = repo;
  const attributes = await openAttributes(repo, { staged: (path) => stagedContent(repo, path) });
  return {
    async read(path: string, entry: IndexEntry | null): Promise<EolColumns> {
      await attributes.prepare([path]);
      const isRegular = entry !== null && isFileMode(entry.mode);
      const staged = isRegular ? await stagedContent(repo, path) : null;
      const stat = await fs.lstat(`${workTree}/${path}`).catch(() => null);
      const content = stat?.type === "file" ? await fs.readFile(`${workTree}/${path}`) : null;
      const index = staged === null ? "" : eolOf(staged);
      const work = content === null ? "" : eolOf(content);
      const attribute = eolAttribute(attributes, path);
      const text = `i/${index.padEnd(5)} w/${work.padEnd(5)} attr/${attribute.padEnd(17)}\t`;
      return { index, work, attribute, text };
    },
  };
}
