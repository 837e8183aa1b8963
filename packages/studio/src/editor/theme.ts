/** The editor in the studio's colors: uses the same tokens, so that both themes and switching work automatically. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags as t } from "@lezer/highlight";

const colors = HighlightStyle.define([
  { tag: [t.keyword, t.operatorKeyword, t.modifier, t.controlKeyword], color: "var(--code-keyword)" },
  { tag: [t.string, t.special(t.string), t.regexp, t.inserted], color: "var(--code-string)" },
  { tag: [t.number, t.bool, t.null, t.atom, t.literal], color: "var(--code-number)" },
  { tag: [t.comment, t.meta, t.docComment], color: "var(--code-comment)", fontStyle: "italic" },
  {
    tag: [t.function(t.variableName), t.function(t.propertyName), t.labelName, t.attributeName],
    color: "var(--code-name)",
  },
  { tag: [t.typeName, t.className, t.namespace, t.tagName], color: "var(--code-type)" },
  { tag: [t.heading], color: "var(--code-name)", fontWeight: "650" },
  { tag: [t.link, t.url], color: "var(--code-string)", textDecoration: "underline" },
  { tag: t.strong, fontWeight: "700" },
  { tag: t.emphasis, fontStyle: "italic" },
  { tag: [t.deleted, t.invalid], color: "var(--bad)" },
]);

const look = EditorView.theme({
  "&": {
    height: "100%",
    flex: "1",
    minHeight: "0",
    color: "var(--ink)",
    backgroundColor: "transparent",
    fontSize: "13px",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--focus)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--focus)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 16px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--focus) 24%, transparent)",
  },
  ".cm-selectionMatch, .cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--mark) 60%, transparent)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--mark)" },
  ".cm-foldPlaceholder": { background: "var(--sunken)", border: "none", color: "var(--ink-soft)", padding: "0 6px" },
  ".cm-panels": { backgroundColor: "var(--ground)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panels input, .cm-panels button": {
    background: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
    borderRadius: "5px",
    backgroundImage: "none",
  },
  ".cm-tooltip": { background: "var(--raised)", border: "1px solid var(--line)", borderRadius: "8px" },
  ".cm-changedLine, .cm-insertedLine": {
    backgroundColor: "color-mix(in srgb, var(--good) 9%, transparent) !important",
  },
  ".cm-deletedChunk, &.cm-merge-a .cm-changedLine": {
    backgroundColor: "color-mix(in srgb, var(--bad) 9%, transparent) !important",
  },
  // The line is already colored; its text is not colored again.
  "ins.cm-insertedLine, del.cm-deletedLine": { backgroundColor: "transparent !important", textDecoration: "none" },
  // Underlined, not darkened: code colors must stay readable on it.
  ".cm-changedText, .cm-insertedLine .cm-changedText": {
    background: "none !important",
    boxShadow: "inset 0 -2px 0 var(--good)",
  },
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": {
    background: "none !important",
    boxShadow: "inset 0 -2px 0 var(--bad)",
  },
  ".cm-collapsedLines": {
    background: "var(--sunken)",
    color: "var(--ink-faint)",
    fontSize: "12px",
    padding: "4px 16px",
    fontFamily: "var(--font-text)",
  },
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '"⋯"' },
  ".cm-theirs": { backgroundColor: "color-mix(in srgb, var(--info) 14%, transparent)" },
  ".cm-mine": { backgroundColor: "color-mix(in srgb, var(--good) 14%, transparent)" },
  ".cm-conflict": { backgroundColor: "color-mix(in srgb, var(--warn) 16%, transparent)" },
});

export const studioTheme: Extension = [look, syntaxHighlighting(colors)];
