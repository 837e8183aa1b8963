/**
 * `npm run test:container`: the whole way in real Docker containers under workerd. It needs a Docker daemon on its usual socket and
 * the image `workspace-sandbox:test`; test/container/run.mjs makes both sure, or says plainly what is missing.
 */
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { fetchOutside } from "./outside/outside.mjs";

const imageName = "workspace-sandbox:test";
const box = (className: string) => ({ className, useSQLite: true, container: { imageName } });

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    cloudflareTest({
      // Exceptions that the other side handles are no news; see vitest.config.ts.
      verbose: false,
      main: "./worker.ts",
      miniflare: {
        compatibilityDate: "2026-10-01",
        compatibilityFlags: ["nodejs_compat"],
        containerEngine: {
          localDocker: {
            socketPath: "unix:///var/run/docker.sock",
            containerEgressInterceptorImage: process.env.MINIFLARE_CONTAINER_EGRESS_IMAGE,
          },
        },
        durableObjects: {
          WORKSPACE: { className: "WorkspaceObject", useSQLite: true },
          REGISTRY: { className: "RegistryObject", useSQLite: true },
          SANDBOX: box("Sandbox"),
          ALLOWED: { className: "AllowingWorkspace", useSQLite: true },
          ALLOWING: box("AllowingSandbox"),
          NAMED: { className: "NamedWorkspace", useSQLite: true },
          NAMED_BOX: box("NamedSandbox"),
          OPEN: { className: "OpenWorkspace", useSQLite: true },
          OPEN_BOX: box("OpenSandbox"),
          PREVIEWING: { className: "PreviewingWorkspace", useSQLite: true },
          PREVIEWING_BOX: box("PreviewingSandbox"),
          SLEEPING: { className: "SleepyWorkspace", useSQLite: true },
          SLEEPY: box("SleepySandbox"),
        },
        // What a Worker's fetch reaches: test/container/outside.
        outboundService: fetchOutside,
        bindings: {
          WORKSPACE_TOKEN: "token-of-the-container-tests-0123456789",
          PREVIEW_HOST: "preview.example",
          WORKSPACE_DENY: ".secret *.pem",
        },
      },
    }),
  ],
  test: {
    name: "container",
    reporters: ["minimal", "../support/count-reporter.ts"],
    include: ["**/*.workerd.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
