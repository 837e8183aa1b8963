/**
 * An open file: the text as read, its version, and the edits since. A save requires that version; on a concurrent change it fails,
 * both texts remain, and the three-way view opens.
 */
import { signal } from "@preact/signals";
import { type ApiError, asApiError } from "../api/api-error.ts";
import { readFile, writeFile } from "../api/files.ts";

/** A larger file is offered for download only. */
const MAX_TEXT = 4 * 1024 * 1024;

export type DocumentKind = "text" | "image" | "binary" | "large";
/** The workspace's current text while there are edits of an older one. Null text: the file was removed. */
export interface RemoteVersion {
  text: string | null;
  version: string | null;
}

const IMAGES: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
  ico: "image/x-icon",
  bmp: "image/bmp",
};

export class FileDocument {
  readonly state = signal<"loading" | "ready" | "failed">("loading");
  readonly dirty = signal(false);
  readonly saving = signal(false);
  readonly rival = signal<RemoteVersion | null>(null);
  /** The three-way view is open. */
  readonly merging = signal(false);
  /** Counts texts from the server, so that an editor knows when to load them. */
  readonly turn = signal(0);
  error: ApiError | null = null;
  kind: DocumentKind = "text";
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
  base = "";
  draft = "";
  version: string | null = null;
  /** The editor's state while it is hidden: cursor, scroll, undo. Opaque here. */
  editorState: unknown = null;

  constructor(
    readonly workspace: string,
    public path: string,
  ) {}

  get imageType(): string | undefined {
    return IMAGES[extension(this.path)];
  }

  async load(): Promise<void> {
    try {
      const { bytes, version } = await readFile(this.workspace, this.path);
      this.#take(bytes, version);
      this.state.value = "ready";
    } catch (failure) {
      this.error = asApiError(failure);
      this.state.value = "failed";
    }
  }

  /** The file changed, perhaps by our own save: loads it if no edits would be lost, otherwise keeps it as the rival version. */
  async refresh(): Promise<void> {
    if (this.saving.value) return;
    const found = await this.#present();
    if (this.saving.value || found.version === this.version) return;
    if (this.dirty.value) this.rival.value = found.rival;
    else if (found.bytes !== null && found.version !== null) {
      this.#take(found.bytes, found.version);
      this.state.value = "ready";
    } else this.rival.value = found.rival;
  }

  edit(text: string): void {
    this.draft = text;
    const dirty = text !== this.base;
    if (this.dirty.peek() !== dirty) this.dirty.value = dirty;
  }

  /** Sets a text that was not typed in the editor: the result of a merge. */
  adopt(text: string): void {
    this.edit(text);
    this.turn.value++;
  }

  /** "conflict": nothing was written, and the rival version is known. */
  async save({ overwrite = false } = {}): Promise<"saved" | "conflict"> {
    const text = this.draft;
    const rival = this.rival.value;
    const expected = overwrite && rival !== null ? rival.version : this.version;
    this.saving.value = true;
    try {
      const version = await writeFile(this.workspace, this.path, text, { ifVersion: expected, callId: callId() });
      this.base = text;
      this.version = version;
      this.rival.value = null;
      this.merging.value = false;
      this.dirty.value = this.draft !== text;
      return "saved";
    } catch (failure) {
      if (asApiError(failure).code !== "ESTALE") throw failure;
      this.rival.value = (await this.#present()).rival;
      return "conflict";
    } finally {
      this.saving.value = false;
    }
  }

  /** Discards the edits. */
  async revert(): Promise<void> {
    this.rival.value = null;
    this.merging.value = false;
    this.dirty.value = false;
    await this.load();
  }

  #take(bytes: Uint8Array<ArrayBuffer>, version: string): void {
    this.kind = documentKind(bytes, this.imageType);
    this.bytes = bytes;
    this.base = this.kind === "text" ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : "";
    this.draft = this.base;
    this.version = version;
    this.rival.value = null;
    this.dirty.value = false;
    this.turn.value++;
  }

  async #present(): Promise<{ bytes: Uint8Array<ArrayBuffer> | null; version: string | null; rival: RemoteVersion }> {
    try {
      const { bytes, version } = await readFile(this.workspace, this.path);
      return { bytes, version, rival: { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), version } };
    } catch (failure) {
      if (asApiError(failure).status !== 404) throw failure;
      return { bytes: null, version: null, rival: { text: null, version: null } };
    }
  }
}

function documentKind(bytes: Uint8Array, imageType: string | undefined): DocumentKind {
  if (imageType !== undefined && imageType !== "image/svg+xml") return "image";
  if (bytes.subarray(0, 8192).includes(0)) return "binary";
  if (bytes.length > MAX_TEXT) return "large";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "text";
  } catch {
    return "binary";
  }
}

export function extension(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
}

function callId(): string {
  return `save-${crypto.randomUUID()}`;
}
