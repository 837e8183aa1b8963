/**
 * The attribute `diff` and the sections `diff.<name>`: whether a file is text, and its patterns for function heads and words.
 * Programs (`command`, `textconv`) never run.
 */
import type { FunctionName } from "@workspace/text";
import { type Attributes, openAttributes } from "../attributes/attributes.ts";
import type { Repository } from "../repository.ts";
import { builtInDrivers } from "./built-in-drivers.ts";
import { functionNameOf } from "./function-head.ts";
import { knownStagedContent } from "./staged-files.ts";

export interface DiffDriver {
  /** Null: its content decides. */
  readonly binary: boolean | null;
  readonly functionName: FunctionName | null;
  readonly wordRegex: string | null;
}

export interface DiffDrivers {
  /** Null: no repository. */
  readonly attributes: Attributes | null;
  /** Must be called for these paths before any lookup. */
  prepare(paths: Iterable<string>): Promise<void>;
  of(path: string): DiffDriver;
  /** The attribute `whitespace` of a path, for whitespace checks. */
  whitespace(path: string): string | boolean | undefined;
}

const PLAIN: DiffDriver = { binary: null, functionName: null, wordRegex: null };
const TEXT: DiffDriver = { ...PLAIN, binary: false };
const BINARY: DiffDriver = { ...PLAIN, binary: true };

export async function openDiffDrivers(repo: Repository): Promise<DiffDrivers> {
  const attributes: Attributes = await openAttributes(repo, {
    staged: (path) => knownStagedContent(repo, path),
  });
  const named = new Map<string, DiffDriver>();
  return {
    attributes,
    prepare: (paths) => attributes.prepare(paths),
    of(path) {
      const value = attributes.isEmpty ? undefined : attributes.get(path, "diff");
      if (value === undefined) return configured(repo, "default", named);
      if (value === true) return TEXT;
      return value === false ? BINARY : configured(repo, value, named);
    },
    whitespace: (path) => (attributes.isEmpty ? undefined : attributes.get(path, "whitespace")),
  };
}

/** Used outside a repository. */
export const plainDrivers: DiffDrivers = {
  attributes: null,
  prepare: async () => {},
  of: () => PLAIN,
  whitespace: () => undefined,
};

function configured({ config }: Pick<Repository, "config">, name: string, known: Map<string, DiffDriver>): DiffDriver {
  const found = known.get(name);
  if (found) return found;
  const builtIn = Object.hasOwn(builtInDrivers, name) ? builtInDrivers[name] : undefined;
  const isNamed = builtIn !== undefined || name === "default" || config.subsections("diff").includes(name);
  if (!isNamed) return configured({ config }, "default", known);
  const binary = config.get(`diff.${name}.binary`);
  const pattern = config.get(`diff.${name}.xfuncname`);
  const basic = config.get(`diff.${name}.funcname`);
  const driver: DiffDriver = {
    binary: binary === undefined || binary === "auto" ? null : (config.getBool(`diff.${name}.binary`) ?? null),
    functionName:
      pattern !== undefined
        ? functionNameOf(pattern, { syntax: "extended" })
        : basic !== undefined
          ? functionNameOf(basic, { syntax: "basic" })
          : builtIn
            ? functionNameOf(builtIn.functionName, { syntax: "extended", ignoreCase: builtIn.ignoreCase })
            : null,
    wordRegex: config.get(`diff.${name}.wordregex`) ?? builtIn?.wordRegex ?? null,
  };
  known.set(name, driver);
  return driver;
}
