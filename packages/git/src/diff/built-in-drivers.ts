/** Drivers that need no configuration: `*.py diff=python` is enough. Those that are not here behave as no driver. */

export interface BuiltInDriver {
  /** Extended expressions, one a line. */
  readonly functionName: string;
  readonly wordRegex: string | null;
  readonly ignoreCase?: boolean;
}

export const builtInDrivers: Readonly<Record<string, BuiltInDriver>> = {
  markdown: { functionName: "^ {0,3}#{1,6}[ \t].*", wordRegex: "[^<>= \t]+" },
  html: { functionName: "^[ \t]*(<[Hh][1-6]([ \t].*)?>.*)$", wordRegex: "[^<>= \t]+" },
  python: {
    functionName: "^[ \t]*((class|(async[ \t]+)?def)[ \t].*)$",
    wordRegex: null,
  },
};
