/**
 * What a Worker pays for an import of the built packages: the bytes that Wrangler uploads, and those of them that are evaluated at start.
 * Both are exact: the same build gives the same numbers.
 */
import { gzipSync } from "node:zlib";
import { type BuildOptions, build } from "esbuild";

const AS_WRANGLER: BuildOptions = {
  bundle: true,
  write: false,
  minify: true,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  external: ["cloudflare:workers"],
  logLevel: "silent",
};

/** One script with everything in it, lazy chunks too, minified and gzipped. `contents`: a module of the user's `project`. */
export async function uploadedKiB(project: string, contents: string): Promise<number> {
  const { outputFiles } = await build({ ...AS_WRANGLER, write: false, stdin: { contents, resolveDir: project } });
  return gzipSync(outputFiles[0]?.text ?? "").length / 1024;
}

/** The minified bytes of every module that is evaluated before the first request: all but what only an `import()` loads. */
export async function startBytes(project: string, contents: string): Promise<number> {
  const { metafile } = await build({
    ...AS_WRANGLER,
    splitting: true,
    outdir: project,
    metafile: true,
    stdin: { contents, resolveDir: project },
  });
  const { outputs } = metafile;
  const evaluated = new Set<string>();
  const visit = (path: string): void => {
    const output = outputs[path];
    if (output === undefined || evaluated.has(path)) return;
    evaluated.add(path);
    for (const { kind, path: imported } of output.imports) if (kind === "import-statement") visit(imported);
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) if (entryPoint === "<stdin>") visit(path);
  return [...evaluated].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
}
