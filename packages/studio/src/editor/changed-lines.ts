/** Marks the lines of an editor that differ from a base text. */
import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";
import { diffLines, splitLines } from "@workspace/text";

export function changedLines(base: string, text: string, name: string): Extension {
  const line = Decoration.line({ class: name });
  const changes = diffLines(splitLines(base), splitLines(text), { algorithm: "histogram" });
  return EditorView.decorations.of((view) => {
    const builder = new RangeSetBuilder<Decoration>();
    const { doc } = view.state;
    for (const { newStart, newCount } of changes)
      for (let at = newStart; at < newStart + newCount && at < doc.lines; at++) {
        const { from } = doc.line(at + 1);
        builder.add(from, from, line);
      }
    return builder.finish();
  });
}
