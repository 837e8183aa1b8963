/**
 * Three-way merge view: the workspace's text, the local edits, and between them the result, which starts as the merge of both over
 * their common base. Conflicts are between markers in the result, and are resolved one by one.
 */
import { EditorState } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { mergeText } from "@workspace/text";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FileDocument } from "../state/file-document.ts";
import { Button } from "../ui/button.tsx";
import { plural } from "../ui/format.ts";
import { changedLines } from "./changed-lines.ts";
import { findConflicts, resolveConflict } from "./conflicts.ts";
import "./editor.css";
import { Colors, editing, lineSeparatorOf, viewing } from "./setup.ts";

interface ThreeWayProps {
  file: FileDocument;
  onDone: () => void;
}

export function ThreeWay({ file, onDone }: ThreeWayProps) {
  const [texts] = useState(() => ({ base: file.base, mine: file.draft, theirs: file.rival.value?.text ?? "" }));
  const [left, setLeft] = useState(0);
  const result = useRef<EditorView | null>(null);
  const settle = (take: "mine" | "theirs" | "both") => {
    const view = result.current;
    const block = view && findConflicts(view.state.doc.toString())[0];
    if (!view || !block) return;
    view.dispatch({
      changes: { from: block.from, to: block.to, insert: resolveConflict(block, take) },
      effects: EditorView.scrollIntoView(block.from, { y: "center" }),
    });
  };
  const save = () => {
    if (result.current === null) return;
    file.adopt(result.current.state.sliceDoc());
    onDone();
  };
  const words =
    left === 0
      ? "Both sets of changes fit together. Look at the result, and save it."
      : `${plural(left, "place")} where both changed the same lines. Settle each, or edit the result by hand.`;
  return (
    <section class="three-way" aria-label="Three-way merge">
      <div class="three-bar">
        <p role="status">{words}</p>
        {left > 0 && (
          <>
            <Button label="Take theirs" onClick={() => settle("theirs")} />
            <Button label="Take mine" onClick={() => settle("mine")} />
            <Button label="Take both" onClick={() => settle("both")} />
          </>
        )}
        <Button kind="quiet" label="Back to my text" onClick={() => (file.merging.value = false)} />
        <Button kind="primary" label="Save the result" disabled={left > 0} busy={file.saving.value} onClick={save} />
      </div>
      <div class="three-panes">
        <Pane kind="theirs" title="In the workspace now" path={file.path} text={texts.theirs} base={texts.base} />
        <ResultPane texts={texts} path={file.path} onLeft={setLeft} onView={(view) => (result.current = view)} />
        <Pane kind="mine" title="Mine, unsaved" path={file.path} text={texts.mine} base={texts.base} />
      </div>
    </section>
  );
}

interface PaneProps {
  kind: "mine" | "theirs";
  title: string;
  path: string;
  text: string;
  base: string;
}

function Pane({ kind, title, path, text, base }: PaneProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const colors = new Colors();
    const extensions = [viewing(title), changedLines(base, text, `cm-${kind}`), colors.extension];
    const view = new EditorView({ doc: text, extensions, parent: element.current! });
    colors.load(view, path).catch(() => undefined);
    return () => view.destroy();
  }, [kind, title, path, text, base]);
  return (
    <div class={`three-pane ${kind}`}>
      <h3>{title}</h3>
      <div ref={element} class="editor" />
    </div>
  );
}

interface ResultPaneProps {
  texts: { base: string; mine: string; theirs: string };
  path: string;
  onLeft: (conflicts: number) => void;
  onView: (view: EditorView | null) => void;
}

function ResultPane({ texts, path, onLeft, onView }: ResultPaneProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const labels = { ours: "mine", theirs: "in the workspace" };
    const { content } = mergeText(texts.base, texts.mine, texts.theirs, { labels });
    const doc = new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
    const colors = new Colors();
    const count = (text: string) => onLeft(findConflicts(text).length);
    const view = new EditorView({
      doc,
      parent: element.current!,
      extensions: [
        EditorState.lineSeparator.of(lineSeparatorOf(doc)),
        editing("The result of the merge"),
        colors.extension,
        conflictMarks,
        EditorView.updateListener.of((update) => update.docChanged && count(update.state.doc.toString())),
      ],
    });
    count(view.state.doc.toString());
    onView(view);
    colors.load(view, path).catch(() => undefined);
    return () => {
      onView(null);
      view.destroy();
    };
  }, [texts, path]);
  return (
    <div class="three-pane result">
      <h3>Result</h3>
      <div ref={element} class="editor" />
    </div>
  );
}

const conflictLine = Decoration.line({ class: "cm-conflict" });
const conflictMarks = ViewPlugin.fromClass(
  class {
    decorations;
    constructor(view: EditorView) {
      this.decorations = marks(view);
    }
    update(update: ViewUpdate) {
      if (update.docChanged) this.decorations = marks(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function marks(view: EditorView) {
  const { doc } = view.state;
  const ranges = findConflicts(doc.toString()).flatMap(({ from, to }) => {
    const lines = [];
    for (let at = doc.lineAt(from); at.from < to; at = doc.line(at.number + 1)) {
      lines.push(conflictLine.range(at.from));
      if (at.number === doc.lines) break;
    }
    return lines;
  });
  return Decoration.set(ranges);
}
