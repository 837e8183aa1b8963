/** Line endings: the rules of attributes, `core.autocrlf` and `core.eol` for a path, and the two conversions. */
import type { AttributeValue } from "../attributes/attribute-line.ts";
import type { GitConfig } from "../config/git-config.ts";
import { isBinaryByStats, type TextStats } from "./text-stats.ts";

export type CrlfAction =
  | "undefined"
  | "binary"
  | "text"
  | "text-input"
  | "text-crlf"
  | "auto"
  | "auto-input"
  | "auto-crlf";

interface EolSettings {
  readonly autocrlf: boolean | "input";
  readonly eol: "lf" | "crlf" | undefined;
}

export function eolSettings(config: GitConfig): EolSettings {
  const auto = config.get("core.autocrlf");
  const autocrlf = auto?.toLowerCase() === "input" ? "input" : (config.getBool("core.autocrlf") ?? false);
  const eol = config.get("core.eol")?.toLowerCase();
  return { autocrlf, eol: autocrlf === "input" ? "lf" : eol === "crlf" ? "crlf" : eol === "lf" ? "lf" : undefined };
}

/** `text` (or the older `crlf`) and `eol`, before the configuration applies. */
export function attributeAction(get: (name: string) => AttributeValue | undefined): CrlfAction {
  let action = fromText(get("text"));
  if (action === "undefined") action = fromText(get("crlf"));
  if (action === "binary") return action;
  const eol = get("eol");
  if (eol === "lf") return action === "auto" ? "auto-input" : "text-input";
  if (eol === "crlf") return action === "auto" ? "auto-crlf" : "text-crlf";
  return action;
}

export function decidedAction(action: CrlfAction, settings: EolSettings): CrlfAction {
  if (action === "text") return textIsCrlf(settings) ? "text-crlf" : "text-input";
  if (action !== "undefined") return action;
  if (settings.autocrlf === false) return "binary";
  return settings.autocrlf === "input" ? "auto-input" : "auto-crlf";
}

export function isAuto(action: CrlfAction): boolean {
  return action === "auto" || action === "auto-input" || action === "auto-crlf";
}

function fromText(value: AttributeValue | undefined): CrlfAction {
  if (value === true) return "text";
  if (value === false) return "binary";
  if (value === "input") return "text-input";
  return value === "auto" ? "auto" : "undefined";
}

function textIsCrlf({ autocrlf, eol }: EolSettings): boolean {
  if (autocrlf === true) return true;
  return autocrlf === false && eol === "crlf";
}

/** Whether a checkout writes CRLF. */
export function writesCrlf(action: CrlfAction, settings: EolSettings): boolean {
  switch (action) {
    case "text-crlf":
    case "auto-crlf":
    case "undefined":
      return true;
    case "binary":
    case "text-input":
    case "auto-input":
      return false;
    case "text":
    case "auto":
      return textIsCrlf(settings);
    default:
      return action satisfies never;
  }
}

export function willAddCr(stats: TextStats, action: CrlfAction, settings: EolSettings): boolean {
  if (!writesCrlf(action, settings) || stats.loneLf === 0) return false;
  if (!isAuto(action)) return true;
  return stats.loneCr === 0 && stats.crlf === 0 && !isBinaryByStats(stats);
}

/** Every CR, for content guessed to be text (it has no lone one); else those before an LF. */
export function stripCr(bytes: Uint8Array, all: boolean): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === 13 && (all || bytes[i + 1] === 10)) continue;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}

export function addCr(bytes: Uint8Array, lines: number): Uint8Array {
  const out = new Uint8Array(bytes.length + lines);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === 10 && bytes[i - 1] !== 13) out[length++] = 13;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}
