/**
 * `wrangler dev` without its developer tools, in a separate process: `npm start` sends one JSON object to its stdin. Wrangler's
 * command line cannot disable the inspector, which lets every page on any port of localhost run code in the Worker, and takes
 * variables from argv, which every user of the machine can read. Its programming interface avoids both.
 */
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
// Wrangler reads these when it is loaded. The explorer runs SQL on every object for pages of localhost; the other records requests
// for it.
process.env.X_LOCAL_EXPLORER = "false";
process.env.X_LOCAL_OBSERVABILITY = "false";
const { unstable_startWorker: startWorker } = await import("wrangler");

const { port, state, key, logLevel } = JSON.parse(await text(process.stdin));
const starting = startWorker({
  config: `${root}wrangler.toml`,
  build: { nodejsCompatMode: "v2" },
  bindings: {
    WORKSPACE_LOCAL: { type: "plain_text", value: "1" },
    WORKSPACE_LOCAL_KEY: { type: "plain_text", value: key },
  },
  dev: { server: { hostname: "127.0.0.1", port }, inspector: false, persist: state, logLevel, remote: false },
});
let worker = null;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    // During startup there is nothing to dispose of; wrangler ends workerd with this process.
    await worker?.dispose();
    process.exit(0);
  });
}
worker = await starting.catch(cannotStart);

function cannotStart(error) {
  console.error((error.cause ?? error).message);
  process.exit(1);
}

async function text(stream) {
  let all = "";
  for await (const chunk of stream.setEncoding("utf8")) all += chunk;
  return all;
}
