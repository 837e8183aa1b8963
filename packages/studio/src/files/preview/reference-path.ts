/** Where a reference of a Markdown file leads. Browsers decide what is a host and what a path, so their own parser is asked. */
import { inUrl } from "../../api/path.ts";

/** Stands for the workspace; no host has this name. */
const BASE = "https://workspace.invalid";

/** The path in the workspace that a reference means; "" for a place in this document; null for one elsewhere. */
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
