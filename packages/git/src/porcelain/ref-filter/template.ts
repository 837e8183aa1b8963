/** `--format` of listings: text, `%(atoms)`, `%00`, and the blocks `%(align)…%(end)`, `%(if)…%(then)…%(else)…%(end)`. */

import { GitError } from "../../errors.ts";
import { decode } from "../../text/bytes.ts";
import { textWidth } from "../../text/text-width.ts";
import type { Atom } from "./atom.ts";
import { type AtomContext, atomValue } from "./atoms.ts";
import { parseAtom } from "./parse-atom.ts";
import type { RefItem } from "./ref-object.ts";

export type Quoting = "none" | "shell" | "perl" | "python" | "tcl";

type Piece = { readonly literal: string } | { readonly atom: Atom };

export interface RefTemplate {
  readonly pieces: readonly Piece[];
}

export function parseTemplate(text: string): RefTemplate {
  const pieces: Piece[] = [];
  let literal = "";
  let at = 0;
  while (at < text.length) {
    if (text.startsWith("%(", at)) {
      const end = text.indexOf(")", at);
      if (end < 0) throw new GitError("EUSAGE", `malformed format string ${text.slice(at)}`);
      if (literal !== "") pieces.push({ literal });
      literal = "";
      pieces.push({ atom: parseAtom(text.slice(at + 2, end)) });
      at = end + 1;
    } else if (text.startsWith("%%", at)) {
      literal += "%";
      at += 2;
    } else if (/^%[0-9a-fA-F]{2}/.test(text.slice(at, at + 3))) {
      literal += decode(new Uint8Array([Number.parseInt(text.slice(at + 1, at + 3), 16)]));
      at += 3;
    } else literal += text[at++];
  }
  if (literal !== "") pieces.push({ literal });
  return { pieces };
}

interface Block {
  kind: "top" | "align" | "if";
  text: string;
  /** For `align`. */
  width?: number;
  position?: "left" | "right" | "middle";
  /** For `if`: the value to compare with, and the progress of the block. */
  compare?: { readonly equal: boolean; readonly value: string } | null;
  holds?: boolean;
  seen?: "if" | "then" | "else";
  before?: string;
}

export async function fillTemplate(
  context: AtomContext,
  template: RefTemplate,
  ref: RefItem,
  quoting: Quoting = "none",
): Promise<string> {
  const stack: Block[] = [{ kind: "top", text: "" }];
  for (const piece of template.pieces) {
    const block = stack.at(-1) as Block;
    if ("literal" in piece) {
      block.text += piece.literal;
      continue;
    }
    const { atom } = piece;
    if (atom.name === "align") stack.push(alignBlock(atom));
    else if (atom.name === "if") stack.push(ifBlock(atom));
    else if (atom.name === "then") thenBlock(block);
    else if (atom.name === "else") elseBlock(block);
    else if (atom.name === "end") endBlock(stack, quoting);
    else {
      const { text } = await atomValue(context, ref, atom);
      block.text += stack.length === 1 ? quoted(text, quoting) : text;
    }
  }
  if (stack.length > 1) throw new GitError("EINVAL", "format: %(end) atom missing");
  return (stack[0] as Block).text;
}

function alignBlock({ option }: Atom): Block {
  if (option === null) throw new GitError("EINVAL", "expected format: %(align:<width>,<position>)");
  let width: number | null = null;
  let position: Block["position"] = "left";
  for (const part of option.split(",")) {
    const [, name, value = part] = /^(width|position)=(.*)$/.exec(part) ?? [];
    if (name !== "width" && (value === "left" || value === "right" || value === "middle")) position = value;
    else if (name !== "position" && /^\d+$/.test(value)) width = Number(value);
    else if (name === "position") throw new GitError("EINVAL", `unrecognized position:${value}`);
    else if (name === "width") throw new GitError("EINVAL", `unrecognized width:${value}`);
    else throw new GitError("EINVAL", `unrecognized %(align) argument: ${part}`);
  }
  if (width === null) throw new GitError("EINVAL", "positive width expected with the %(align) atom");
  return { kind: "align", text: "", width, position };
}

function ifBlock({ option }: Atom): Block {
  if (option === null) return { kind: "if", text: "", compare: null, seen: "if" };
  const [, kind, value = ""] = /^(equals|notequals)=(.*)$/s.exec(option) ?? [];
  if (kind === undefined) throw new GitError("EINVAL", `unrecognized %(if) argument: ${option}`);
  return { kind: "if", text: "", compare: { equal: kind === "equals", value }, seen: "if" };
}

function thenBlock(block: Block): void {
  if (block.kind !== "if") throw new GitError("EINVAL", "format: %(then) atom used without a %(if) atom");
  if (block.seen === "then") throw new GitError("EINVAL", "format: %(then) atom used more than once");
  if (block.seen === "else") throw new GitError("EINVAL", "format: %(then) atom used after %(else)");
  const { compare, text } = block;
  block.holds = compare ? (text === compare.value) === compare.equal : text.trim() !== "";
  block.seen = "then";
  block.text = "";
}

function elseBlock(block: Block): void {
  if (block.kind !== "if") throw new GitError("EINVAL", "format: %(else) atom used without a %(if) atom");
  if (block.seen === "if") throw new GitError("EINVAL", "format: %(else) atom used without a %(then) atom");
  if (block.seen === "else") throw new GitError("EINVAL", "format: %(else) atom used more than once");
  block.seen = "else";
  block.before = block.text;
  block.text = "";
}

function endBlock(stack: Block[], quoting: Quoting): void {
  const block = stack.at(-1) as Block;
  if (block.kind === "top") throw new GitError("EINVAL", "format: %(end) atom used without corresponding atom");
  if (block.kind === "if" && block.seen === "if") {
    throw new GitError("EINVAL", "format: %(if) atom used without a %(then) atom");
  }
  stack.pop();
  const outer = stack.at(-1) as Block;
  let text: string;
  if (block.kind === "align") text = padded(block.text, block.width ?? 0, block.position ?? "left");
  else if (block.seen === "else") text = block.holds ? (block.before ?? "") : block.text;
  else text = block.holds ? block.text : "";
  outer.text += stack.length === 1 ? quoted(text, quoting) : text;
}

function padded(text: string, width: number, position: "left" | "right" | "middle"): string {
  const space = width - textWidth(text);
  if (space <= 0) return text;
  if (position === "left") return text + " ".repeat(space);
  if (position === "right") return " ".repeat(space) + text;
  const left = Math.floor(space / 2);
  return " ".repeat(left) + text + " ".repeat(space - left);
}

function quoted(text: string, quoting: Quoting): string {
  switch (quoting) {
    case "none":
      return text;
    case "shell":
      return `'${text.replace(/['!]/g, (c) => `'\\${c}'`)}'`;
    case "perl":
      return `'${text.replace(/['\\]/g, (c) => `\\${c}`)}'`;
    case "python":
      return `'${text.replace(/['\\\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`))}'`;
    case "tcl":
      return `"${text.replace(/[[\]{}$\\"\f\r\n\t\v]/g, (c) => TCL[c] ?? `\\${c}`)}"`;
    default:
      return quoting satisfies never;
  }
}

const TCL: Readonly<Record<string, string>> = { "\f": "\\f", "\r": "\\r", "\n": "\\n", "\t": "\\t", "\v": "\\v" };
