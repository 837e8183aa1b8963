/**
 * `Content-Disposition` (RFC 6266): an ASCII name for old clients, the real name percent-encoded (RFC 8187). No name can end the
 * header.
 */
export function contentDisposition(kind: "attachment" | "inline", name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeExtended(name)}`;
}

/** `encodeURIComponent` leaves four characters that RFC 8187 does not allow. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
