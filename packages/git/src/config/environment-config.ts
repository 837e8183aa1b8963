/** Configuration in the environment: GIT_CONFIG_COUNT set by callers, and git's own GIT_CONFIG_PARAMETERS. */
import { GitError } from "../errors.ts";
import { parseConfigKey } from "./config-key.ts";

/**
 * `GIT_CONFIG_COUNT` with its keys and values, then `GIT_CONFIG_PARAMETERS`, by which git passes `-c` to child
 * processes.
 */
export function environmentConfig(env: Readonly<Record<string, string>>): { key: string; value: string | null }[] {
  const found: { key: string; value: string | null }[] = [];
  const count = env.GIT_CONFIG_COUNT;
  if (count) {
    if (!/^\d+$/.test(count.trim())) throw new GitError("EINVAL", "bogus count in GIT_CONFIG_COUNT");
    const many = Number(count);
    if (many > 2 ** 31 - 1) throw new GitError("EINVAL", "too many entries in GIT_CONFIG_COUNT");
    for (let i = 0; i < many; i++) {
      const key = env[`GIT_CONFIG_KEY_${i}`];
      const value = env[`GIT_CONFIG_VALUE_${i}`];
      if (key === undefined) throw new GitError("EINVAL", `missing config key GIT_CONFIG_KEY_${i}`);
      if (value === undefined) throw new GitError("EINVAL", `missing config value GIT_CONFIG_VALUE_${i}`);
      found.push({ key: parseConfigKey(key).key, value });
    }
  }
  if (env.GIT_CONFIG_PARAMETERS) found.push(...quotedParameters(env.GIT_CONFIG_PARAMETERS));
  return found;
}

/** 'key=value' or 'key'='value', quoted for a shell. */
function quotedParameters(text: string): { key: string; value: string | null }[] {
  const found: { key: string; value: string | null }[] = [];
  const bogus = () => new GitError("EINVAL", "bogus format in GIT_CONFIG_PARAMETERS");
  let at = 0;
  const quoted = (): string => {
    if (text[at] !== "'") throw bogus();
    let value = "";
    for (at++; ; ) {
      const end = text.indexOf("'", at);
      if (end < 0) throw bogus();
      value += text.slice(at, end);
      at = end + 1;
      if (text[at] !== "\\" || (text[at + 1] !== "'" && text[at + 1] !== "!") || text[at + 2] !== "'") return value;
      value += text[at + 1];
      at += 3;
    }
  };
  while (at < text.length) {
    if (text[at] === " ") {
      at++;
      continue;
    }
    const first = quoted();
    if (text[at] === "=") {
      at++;
      found.push({ key: first, value: text[at] === "'" ? quoted() : null });
      continue;
    }
    const equals = first.indexOf("=");
    if (equals < 0) found.push({ key: first, value: null });
    else found.push({ key: first.slice(0, equals), value: first.slice(equals + 1) });
  }
  return found;
}
