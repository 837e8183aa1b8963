/** Two texts side by side with their differences marked; stacked if there is no room. Unchanged parts are folded. */
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import "./editor.css";
import { Colors, viewing } from "./setup.ts";
import { textChanges } from "./text-changes.ts";

interface DiffViewProps {
  path: string;
  before: string;
  after: string;
}

const collapseUnchanged = { margin: 3, minSize: 6 };
const diffConfig = { override: textChanges };

export function DiffView({ path, before, after }: DiffViewProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = element.current!;
    const narrow = parent.clientWidth < 700;
    return narrow ? showUnified(parent, path, before, after) : showBeside(parent, path, before, after);
  }, [path, before, after]);
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
  return <section ref={element} class="diff" tabIndex={0} aria-label={`Difference of ${path}`} />;
}

function showBeside(parent: HTMLElement, path: string, before: string, after: string): () => void {
  const [left, right] = [new Colors(), new Colors()];
  const view = new MergeView({
    a: { doc: before, extensions: [viewing(`${path} before`), left.extension, EditorView.lineWrapping] },
    b: { doc: after, extensions: [viewing(`${path} after`), right.extension, EditorView.lineWrapping] },
    parent,
    gutter: true,
    collapseUnchanged,
    diffConfig,
  });
  left.load(view.a, path).catch(() => undefined);
  right.load(view.b, path).catch(() => undefined);
  return () => view.destroy();
}

function showUnified(parent: HTMLElement, path: string, before: string, after: string): () => void {
  const colors = new Colors();
  const merge = unifiedMergeView({
    original: before,
    mergeControls: false,
    gutter: true,
    collapseUnchanged,
    diffConfig,
  });
  const extensions = [viewing(`${path}, changes`), colors.extension, EditorView.lineWrapping, merge];
  const view = new EditorView({ doc: after, extensions, parent });
  colors.load(view, path).catch(() => undefined);
  return () => view.destroy();
}
