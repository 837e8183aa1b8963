/** The extensions of every code editor: line numbers, folding, undo, search, brackets; and the smaller set of a read-only view. */
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, LanguageDescription } from "@codemirror/language";
import { languages } from "@codemirror/language-data";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { basename } from "../api/path.ts";
import { studioTheme } from "./theme.ts";

export function viewing(label: string): Extension {
  return [
    lineNumbers(),
    highlightSpecialChars(),
    studioTheme,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
  ];
}

export function editing(label: string): Extension {
  return [
    lineNumbers(),
    highlightSpecialChars(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    foldGutter(),
    drawSelection(),
    dropCursor(),
    rectangularSelection(),
    crosshairCursor(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightSelectionMatches(),
    search({ top: true }),
    studioTheme,
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      // Tab indents; Escape and then Tab leaves, as the editor's documentation recommends.
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({ "aria-label": label }),
  ];
}

/** The syntax highlighting of a language, loaded when a file of it is shown. */
export class Colors {
  readonly #place = new Compartment();
  readonly extension = this.#place.of([]);

  async load(view: EditorView, path: string): Promise<void> {
    const language = LanguageDescription.matchFilename(languages, basename(path));
    if (language === null) return;
    const support = await language.load();
    // Prose has long lines and wraps; code does not.
    const extension = language.name === "Markdown" ? [support, EditorView.lineWrapping] : support;
    if (view.dom.isConnected) view.dispatch({ effects: this.#place.reconfigure(extension) });
  }
}

/**
 * The line ending of a text, preserved on saving. If endings are mixed, only the line feed counts, and a carriage return stays a
 * character of its line.
 */
export function lineSeparatorOf(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") && !/(^|[^\r])\n|\r(?!\n)/.test(text) ? "\r\n" : "\n";
}
