/**
 * The media type of a file by its name. Browsers display only `text/plain` inline, so source files are plain text here, whatever a
 * registry says. Types that a browser would run keep their media type and are sent as attachments.
 */
const PLAIN = "text/plain; charset=utf-8";

/** Extensions, then whole names. */
const PLAIN_EXTENSIONS = new Set(
  (
    "txt text log ts tsx mts cts jsx py rb rs go c h cc cpp hpp cs java kt swift php pl lua sh bash zsh fish ps1 sql toml yaml yml ini " +
    "cfg conf env properties lock diff patch tex rst adoc graphql proto tf gradle make cmake dockerfile gitignore gitattributes editorconfig"
  ).split(" "),
);
const PLAIN_NAMES = new Set(
  "readme license licence notice authors changelog makefile dockerfile procfile codeowners".split(" "),
);

const TYPES: Record<string, string> = {
  avif: "image/avif",
  bmp: "image/bmp",
  css: "text/css; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  gif: "image/gif",
  gz: "application/gzip",
  htm: "text/html; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/vnd.microsoft.icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  jsonl: "application/jsonl",
  md: "text/markdown; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  otf: "font/otf",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  tar: "application/x-tar",
  tsv: "text/tab-separated-values; charset=utf-8",
  ttf: "font/ttf",
  wasm: "application/wasm",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
  xhtml: "application/xhtml+xml",
  xml: "application/xml",
  zip: "application/zip",
};

export function contentTypeOf(name: string): string {
  const lower = name.toLowerCase();
  if (PLAIN_NAMES.has(lower)) return PLAIN;
  const dot = lower.lastIndexOf(".");
  const extension = dot === -1 ? "" : lower.slice(dot + 1);
  if (PLAIN_EXTENSIONS.has(extension)) return PLAIN;
  return Object.hasOwn(TYPES, extension) ? (TYPES[extension] as string) : "application/octet-stream";
}

export function isPlainText(contentType: string): boolean {
  return contentType === PLAIN;
}
