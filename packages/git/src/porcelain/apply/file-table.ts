/**
 * The results of earlier patches for later ones of the same file, and the files that some patch will remove. With `--index` and
 * `--cached` it also consults the index.
 */
import type { FilePatch } from "@workspace/text";
import type { FileStat } from "@workspace/vfs";
import { type Conversion, openConversion } from "../../convert/conversion.ts";
import { GitError } from "../../errors.ts";
import { compareEntryStat, isRacy, modeTrust } from "../../index/compare-stat.ts";
import { hashWorkFiles } from "../../index/hash-work-file.ts";
import type { IndexEditor } from "../../index/index-editor.ts";
import type { IndexEntry } from "../../index/index-entry.ts";
import { openStagedConversion } from "../../index/staged-conversion.ts";
import { errnoText } from "../../lock-file.ts";
import { isGitlinkMode, isSymlinkMode, MODE_SYMLINK } from "../../object/file-mode.ts";
import { encode } from "../../text/bytes.ts";
import type { AppliedFile, ApplyContext } from "./apply-options.ts";

export type Fate = "will be deleted" | "was deleted" | AppliedFile;

export class FileTable {
  readonly #fates = new Map<string, Fate>();
  #conversion: Promise<Conversion> | undefined;

  constructor(
    readonly place: ApplyContext,
    /** Null: the index is not consulted. */
    readonly index: IndexEditor | null,
    readonly indexSeconds: number,
    patches: readonly FilePatch[],
  ) {
    for (const { newName, oldName, isRename } of patches) {
      if ((newName === null || isRename) && oldName !== null) this.#fates.set(oldName, "will be deleted");
    }
  }

  fate(path: string): Fate | undefined {
    return this.#fates.get(path);
  }

  record(file: AppliedFile): void {
    const { newName, oldName, isRename } = file.patch;
    if (newName !== null) this.#fates.set(newName, file);
    if ((newName === null || isRename) && oldName !== null) this.#fates.set(oldName, "was deleted");
  }

  stat(path: string): Promise<FileStat | null> {
    return this.place.fs.lstat(`${this.place.root}/${path}`).catch((error) => {
      const { code } = error as { code?: string };
      if (code === "ENOENT" || code === "ENOTDIR") return null;
      throw new GitError("EINVAL", `${path}: ${errnoText(code)}`, { prefix: "error", exitCode: 1, cause: error });
    });
  }

  /** The content as it would be staged, or unconverted. */
  async read(path: string, stat: FileStat, asIs = false): Promise<Uint8Array> {
    const { fs, root } = this.place;
    if (stat.type === "symlink") return encode(await fs.readlink(`${root}/${path}`));
    const content = await fs.readFile(`${root}/${path}`);
    const conversion = asIs ? null : await this.conversion();
    if (conversion === null) return content;
    await conversion.prepare([path]);
    return conversion.isIdentity(path) ? content : conversion.toGit(path, content);
  }

  async conversion(): Promise<Conversion | null> {
    const { repo } = this.place;
    if (repo === null) return null;
    const { index } = this;
    this.#conversion ??= index === null ? openConversion(repo) : openStagedConversion(repo, (path) => index.at(path));
    return this.#conversion;
  }

  /** True if the file matches the index. */
  async matchesIndex(entry: IndexEntry, stat: FileStat): Promise<boolean> {
    const { repo } = this.place;
    if (repo === null || repo.workTree === null) return true;
    if (stat.type === "dir") return isGitlinkMode(entry.mode);
    const verdict = compareEntryStat(entry, stat, modeTrust(repo.config));
    if (verdict === "modified") return false;
    if (verdict === "same" && !isRacy(entry.stat.mtimeSeconds, this.indexSeconds)) return true;
    const conversion = (await this.conversion()) ?? undefined;
    const [oid] = await hashWorkFiles({ ...repo, workTree: repo.workTree }, [{ path: entry.path, stat }], {
      conversion,
    });
    return oid === entry.oid;
  }

  /** True if a symbolic link is above the path, now or after the patches: nothing is read or written beyond it. */
  async isBeyondLink(path: string, when: "now" | "after" = "after"): Promise<boolean> {
    for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1)) {
      const above = path.slice(0, slash);
      const fate = when === "now" ? undefined : this.fate(above);
      if (fate === "was deleted" || fate === "will be deleted") continue;
      if (fate !== undefined) {
        if (isSymlinkMode(fate.patch.newMode)) return true;
        continue;
      }
      const entry = this.index?.get(above);
      if (this.index !== null ? entry?.mode === MODE_SYMLINK : (await this.stat(above))?.type === "symlink")
        return true;
    }
    return false;
  }
}
