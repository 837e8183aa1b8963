/**
 * Detects text, and the type of a binary file. A known text extension is text unless the beginning has a NUL. Otherwise the first
 * bytes decide: NUL, other control characters, invalid UTF-8 (a character cut at the edge does not count).
 */
const TEXT_EXTENSIONS = new Set(
  (
    "txt md markdown rst adoc org tex log csv tsv json jsonc json5 ndjson jsonl yaml yml toml ini cfg conf env properties xml html htm xhtml svg " +
    "css scss sass less js mjs cjs jsx ts mts cts tsx vue svelte astro py pyi rb php pl pm lua r jl java kt kts scala groovy gradle go rs c h cc " +
    "cpp cxx hh hpp hxx m mm cs fs fsx swift dart zig nim ex exs erl hrl hs lhs ml mli clj cljs cljc el lisp scm sql graphql gql proto sh bash zsh " +
    "fish ps1 bat cmd awk sed dockerfile makefile mk cmake ninja bazel bzl tf hcl nix diff patch lock gitignore gitattributes editorconfig asm s"
  ).split(" "),
);

const MEDIA: readonly [mediaType: string, extensions: readonly string[], magic: readonly (number | null)[]][] = [
  ["image/png", ["png"], [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", ["jpg", "jpeg"], [0xff, 0xd8, 0xff]],
  ["image/gif", ["gif"], [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", ["webp"], [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
  ["application/pdf", ["pdf"], [0x25, 0x50, 0x44, 0x46]],
];

export const UTF_16 = "UTF-16 text";

const OTHER_MAGIC: readonly [name: string, magic: readonly number[]][] = [
  ["a ZIP archive (or an Office, JAR or APK file)", [0x50, 0x4b, 0x03, 0x04]],
  ["a gzip archive", [0x1f, 0x8b]],
  ["an ELF program", [0x7f, 0x45, 0x4c, 0x46]],
  ["a WebAssembly module", [0x00, 0x61, 0x73, 0x6d]],
  ["an SQLite database", [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65]],
  [UTF_16, [0xff, 0xfe]],
  [UTF_16, [0xfe, 0xff]],
];

export type FileKind =
  | { kind: "text"; rule: "extension" | "content" | "empty" }
  | { kind: "media"; mediaType: string }
  | { kind: "binary"; rule: "nul" | "control" | "encoding"; what: string };

const MEDIA_STARTS = new Set(MEDIA.map(([, , magic]) => magic[0]));

export function fileKind(path: string, head: Uint8Array): FileKind {
  const media = MEDIA_STARTS.has(head[0] ?? null) ? MEDIA.find(([, , magic]) => startsWith(head, magic)) : undefined;
  if (media !== undefined) return { kind: "media", mediaType: media[0] };
  if (head.length === 0) return { kind: "text", rule: "empty" };
  if (head.includes(0)) return { kind: "binary", rule: "nul", what: whatIs(head) };
  if (TEXT_EXTENSIONS.has(extensionOf(path))) return { kind: "text", rule: "extension" };
  if (head.some(isControl)) return { kind: "binary", rule: "control", what: whatIs(head) };
  if (!isUtf8Prefix(head)) return { kind: "binary", rule: "encoding", what: "not UTF-8 text" };
  return { kind: "text", rule: "content" };
}

function whatIs(head: Uint8Array): string {
  return OTHER_MAGIC.find(([, magic]) => startsWith(head, magic))?.[0] ?? "binary data";
}

function startsWith(bytes: Uint8Array, magic: readonly (number | null)[]): boolean {
  return bytes.length >= magic.length && magic.every((byte, i) => byte === null || bytes[i] === byte);
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const at = name.lastIndexOf(".");
  return at < 0 ? name : name.slice(at + 1);
}

/** Tab, line feed, form feed, carriage return, escape and backspace occur in texts. */
function isControl(byte: number): boolean {
  return (byte < 0x20 && ![8, 9, 10, 12, 13, 27].includes(byte)) || byte === 0x7f;
}

export function utf8Decoder(): TextDecoder {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
}

/**
 * Whether the bytes are UTF-8, possibly ending inside a character. With the caller's decoder, continues after the bytes it has
 * seen.
 */
export function isUtf8Prefix(bytes: Uint8Array, decoder = utf8Decoder()): boolean {
  try {
    decoder.decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
