/**
 * Resolves a link or image target in a Markdown file to a workspace path. Uses the browser's URL parser, so that both agree on what
 * is a host and what is a path.
 */
import { inUrl } from "../../api/path.ts";

/** A placeholder for the workspace; no host has this name. */
const BASE = "https://workspace.invalid";

/** The workspace path of a reference; "" for an anchor in this document; null for an external one. */
export function referencePath(reference: string, from: string): string | null {
  const url = URL.parse(reference, `${BASE}/${inUrl(from)}`);
  if (url === null || url.origin !== BASE || url.username !== "") return null;
  if (/^\s*(?:[?#]|$)/.test(reference)) return "";
  const names: string[] = [];
  for (const name of decoded(url.pathname).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names.join("/");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
