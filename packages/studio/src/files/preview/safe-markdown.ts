/**
 * Converts Markdown to safe nodes: no scripts, styles, forms or frames, no names that shadow the page's own. Links to files open
 * here, others in a new tab without referrer or opener. Images come only from the workspace through the API.
 */
import DOMPurify from "dompurify";
import { marked } from "marked";
import { readFile } from "../../api/files.ts";
import { FileDocument } from "../../state/file-document.ts";
import { routeHash } from "../../state/route.ts";
import { openFile } from "../../state/tabs.ts";
import { referencePath } from "./reference-path.ts";

export interface MarkdownPlace {
  workspace: string;
  /** The file's path: the base of its links and images. */
  path: string;
}

export function safeMarkdown(text: string, place: MarkdownPlace): { fragment: DocumentFragment; dispose: () => void } {
  const urls: string[] = [];
  const html = marked.parse(text, { async: false, gfm: true });
  const fragment = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    FORBID_TAGS: [
      "style",
      "form",
      "input",
      "button",
      "textarea",
      "select",
      "option",
      "dialog",
      "audio",
      "video",
      "picture",
      "source",
    ],
    FORBID_ATTR: ["style", "class", "srcset", "name", "background"],
    SANITIZE_NAMED_PROPS: true,
  });
  for (const link of fragment.querySelectorAll("a")) tameLink(link, place);
  for (const image of fragment.querySelectorAll("img")) tameImage(image, place, urls);
  const dispose = () => {
    for (const url of urls) URL.revokeObjectURL(url);
  };
  return { fragment, dispose };
}

function tameLink(link: HTMLAnchorElement, place: MarkdownPlace): void {
  const target = link.getAttribute("href") ?? "";
  const path = referencePath(target, place.path);
  if (path === null) {
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
    return;
  }
  link.removeAttribute("target");
  // Opens the file in a new tab too.
  link.setAttribute(
    "href",
    routeHash({ workspace: place.workspace, view: "files", path: path === "" ? place.path : path }),
  );
  link.addEventListener("click", (event) => {
    event.preventDefault();
    if (path !== "") openFile(path);
  });
}

function tameImage(image: HTMLImageElement, place: MarkdownPlace, urls: string[]): void {
  const path = referencePath(image.getAttribute("src") ?? "", place.path);
  image.removeAttribute("src");
  if (path === null || path === "") {
    image.replaceWith(`[picture elsewhere: ${image.alt}]`);
    return;
  }
  const type = new FileDocument(place.workspace, path).imageType;
  if (type === undefined) return;
  readFile(place.workspace, path).then(
    ({ bytes }) => {
      const url = URL.createObjectURL(new Blob([bytes], { type }));
      urls.push(url);
      image.src = url;
    },
    () => image.replaceWith(`[no picture at ${path}]`),
  );
}
