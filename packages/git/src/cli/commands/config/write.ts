/** The writing half of `git config`. */
import { canonicalKey, parseConfigKey } from "../../../config/config-key.ts";
import { MultipleValuesError, setConfigValue, unsetConfigValue } from "../../../config/edit-config.ts";
import { renameSection } from "../../../config/edit-section.ts";
import { editConfigFile } from "../../../config/write-config.ts";
import { GitError } from "../../../errors.ts";
import type { ConfigRequest } from "./config.ts";
import { storedValue } from "./config-type.ts";
import { valuePattern } from "./read.ts";

export async function setValue(
  { context, source, words, type, fixedValue }: ConfigRequest,
  { all, add }: { all: boolean; add: boolean },
): Promise<number> {
  const [key = "", typed = "", pattern] = words;
  const target = await source.target();
  const value = storedValue(type, key, typed);
  parseConfigKey(key);
  const match = pattern === undefined ? undefined : valuePattern(pattern, fixedValue);
  try {
    await editConfigFile(context.host, target, (text) =>
      setConfigValue(text, key, value, { file: target.displayed, match, all, add }),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof MultipleValuesError)) throw error;
    warnMany(context, key, error.count);
    context.err(`error: ${error.message}\n       Use a regexp, --add or --replace-all to change ${key}.\n`);
    return 5;
  }
}

export async function unsetValue({ context, source, words, fixedValue }: ConfigRequest, all: boolean): Promise<number> {
  const [key = "", pattern] = words;
  const target = await source.target();
  parseConfigKey(key);
  const match = pattern === undefined ? undefined : valuePattern(pattern, fixedValue);
  try {
    await editConfigFile(context.host, target, (text) =>
      unsetConfigValue(text, key, { file: target.displayed, match, all }),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof MultipleValuesError)) throw error;
    warnMany(context, key, error.count);
    return 5;
  }
}

/** git warns at each value after the first, and stops at the second. */
function warnMany(context: ConfigRequest["context"], key: string, count: number): void {
  if (count > 1) context.err(`warning: ${canonicalKey(key)} has multiple values\n`);
}

export async function editSection({ context, source, words }: ConfigRequest, to: string | null): Promise<number> {
  const [from = ""] = words;
  const target = await source.target();
  if (to !== null && !isSectionName(to)) {
    throw new GitError("EINVAL", `invalid section name: ${to}`, { prefix: "error", exitCode: 255 });
  }
  const exists = await context.host.fs.exists(target.path);
  let count = 0;
  if (exists) {
    await editConfigFile(context.host, target, (text) => {
      const edited = renameSection(text, from, to);
      count = edited.count;
      return edited.text;
    });
  }
  if (count === 0) throw new GitError("ENOTFOUND", `no such section: ${from}`);
  return 0;
}

function isSectionName(name: string): boolean {
  const dot = name.indexOf(".");
  const section = dot < 0 ? name : name.slice(0, dot);
  return /^[0-9A-Za-z-]+$/.test(section);
}
