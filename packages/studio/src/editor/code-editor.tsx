/** The editor of a document. Its state (cursor, undo) is saved in the document when it is hidden. */
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import type { FileDocument } from "../state/file-document.ts";
import { jump } from "../state/tabs.ts";
import "./editor.css";
import { replaceText } from "./replace-text.ts";
import { Colors, editing, lineSeparatorOf } from "./setup.ts";

interface CodeEditorProps {
  file: FileDocument;
  readOnly: boolean;
  onSave: () => void;
}

export function CodeEditor({ file, readOnly, onSave }: CodeEditorProps) {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const save = useRef(onSave);
  save.current = onSave;
  useEffect(() => {
    const colors = new Colors();
    const saveNow = () => {
      save.current();
      return true;
    };
    const fresh = () =>
      EditorState.create({
        doc: file.draft,
        extensions: [
          EditorState.lineSeparator.of(lineSeparatorOf(file.draft)),
          keymap.of([{ key: "Mod-s", preventDefault: true, run: saveNow }]),
          editing(`Text of ${file.path}`),
          colors.extension,
          EditorState.readOnly.of(readOnly),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) file.edit(update.state.sliceDoc());
          }),
        ],
      });
    const state = file.editorState instanceof EditorState && !readOnly ? file.editorState : fresh();
    const created = new EditorView({ state, parent: element.current! });
    view.current = created;
    colors.load(created, file.path).catch(() => undefined);
    return () => {
      file.editorState = created.state;
      created.destroy();
      view.current = null;
    };
  }, [file, readOnly]);
  const turn = file.turn.value;
  useEffect(() => {
    if (view.current !== null) replaceText(view.current, file.draft);
  }, [file, turn]);
  const place = jump.value;
  useEffect(() => {
    if (place === null || place.path !== file.path || view.current === null) return;
    jump.value = null;
    const { doc } = view.current.state;
    const line = doc.line(Math.max(1, Math.min(place.line, doc.lines)));
    const at = Math.min(line.from + place.column, line.to);
    view.current.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    view.current.focus();
  }, [place, file]);
  return <div ref={element} class="editor" />;
}
