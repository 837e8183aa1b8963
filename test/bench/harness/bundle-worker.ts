/** Bundles one Worker with one Durable Object class per contender of the run, and no other code. */
import { builtinModules } from "node:module";
import { build } from "esbuild";
import { className, type Entrant } from "../participants.ts";
import { BenchError } from "./bench-error.ts";

/** A peer's dependency is CommonJS and asks for Node's modules by `require`, among them an unused one that workerd lacks. */
const REQUIRE = `import { createRequire } from "node:module";
const require = (name) => (name === "node:sqlite" ? {} : createRequire("/")(name));`;

export async function bundleWorker(bench: string, entrants: readonly Entrant[], outfile: string): Promise<void> {
  try {
    await build({
      stdin: { contents: entryPoint(entrants), resolveDir: bench, sourcefile: "bench-worker.ts", loader: "ts" },
      outfile,
      bundle: true,
      format: "esm",
      target: "es2024",
      platform: "neutral",
      mainFields: ["module", "main"],
      conditions: ["workerd", "worker", "browser", "import"],
      external: ["cloudflare:*", "node:*"],
      banner: { js: REQUIRE },
      alias: Object.fromEntries(
        builtinModules.filter((name) => !name.startsWith("node:")).map((name) => [name, `node:${name}`]),
      ),
      logLevel: "silent",
    });
  } catch (error) {
    const reasons = (error as { errors?: { text: string; location?: { file: string; line: number } }[] }).errors ?? [];
    const shown = reasons
      .slice(0, 5)
      .map(({ text, location }) => `  ${text}${location ? ` (${location.file}:${location.line})` : ""}`);
    throw new BenchError(`the bench's Worker does not bundle:\n${shown.join("\n") || error}`, { cause: error });
  }
}

function entryPoint(entrants: readonly Entrant[]): string {
  const lines = entrants.flatMap((entrant) => [
    `import { contender as ${entrant.id} } from "./${entrant.module}";`,
    `export class ${className(entrant)} extends benchObject(${entrant.id}, suites) {}`,
  ]);
  return `
    import { benchObject } from "./worker/bench-object.ts";
    import { suites } from "./suites/index.ts";
    import { pageResponse } from "./suites/tools/page-response.ts";
    ${lines.join("\n")}
    export default {
      fetch(request, env) {
        const [, binding, object] = new URL(request.url).pathname.split("/");
        // What the tools fetch.
        if (binding === "page") return pageResponse(object);
        return env[binding].get(env[binding].idFromName(object)).fetch(request);
      },
    };
  `;
}
