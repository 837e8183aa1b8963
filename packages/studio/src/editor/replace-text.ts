/** Replaces an editor's text by the smallest single change, so that cursor and scroll position stay. */
import type { EditorView } from "@codemirror/view";

export function replaceText(view: EditorView, next: string): void {
  const now = view.state.sliceDoc();
  if (now === next) return;
  const wanted = view.state.toText(next);
  const text = view.state.doc.toString();
  const other = wanted.toString();
  let from = 0;
  const shorter = Math.min(text.length, other.length);
  while (from < shorter && text[from] === other[from]) from++;
  let tail = 0;
  while (tail < shorter - from && text[text.length - 1 - tail] === other[other.length - 1 - tail]) tail++;
  view.dispatch({ changes: { from, to: text.length - tail, insert: wanted.slice(from, other.length - tail) } });
}
