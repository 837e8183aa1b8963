/** Rendered Markdown. The file is hostile: its output passes DOMPurify, as nodes, never as a string of HTML. */
import { useEffect, useRef } from "preact/hooks";
import type { FileDocument } from "../../state/file-document.ts";
import { safeMarkdown } from "./safe-markdown.ts";
import "./preview.css";

export function MarkdownView({ file }: { file: FileDocument }) {
  const element = useRef<HTMLDivElement>(null);
  const turn = file.turn.value;
  useEffect(() => {
    const { fragment, dispose } = safeMarkdown(file.draft, { workspace: file.workspace, path: file.path });
    element.current?.replaceChildren(fragment);
    return dispose;
  }, [file, turn]);
  // The preview scrolls, so the keyboard must reach it.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: for the same reason.
  return <section ref={element} class="markdown" tabIndex={0} aria-label={`Preview of ${file.path}`} />;
}
