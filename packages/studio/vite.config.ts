/**
 * The studio's build: one page, with what the first view does not need in chunks of its own. Paths are relative to the server's root,
 * where the Worker serves `dist`. `vite dev` proxies the API to a running `npm start`.
 */
import { defineConfig } from "vite";

const worker = process.env.WORKER ?? "http://127.0.0.1:8787";

export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // Nothing inline: the page's policy allows scripts and styles of this origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  // The Worker in local mode answers its own address and origin only.
  server: {
    port: 8790,
    proxy: { "/api": { target: worker, ws: true, changeOrigin: true, headers: { origin: worker } } },
  },
});
