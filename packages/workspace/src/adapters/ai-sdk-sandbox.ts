/**
 * `@cloudflare/workspace/adapters/ai-sdk-sandbox`: a workspace as a sandbox of the AI SDK, and a sandbox provider for
 * `HarnessAgent`.
 */
export {
  createSandboxProvider,
  type NetworkSandboxSession,
  type SandboxProvider,
  type SandboxProviderOptions,
} from "./ai-sdk-sandbox/sandbox-provider.ts";
export {
  asSandboxSession,
  type SandboxCommand,
  type SandboxOptions,
  type SandboxProcess,
  type SandboxSession,
  type SandboxSource,
  type WritableSandboxProcess,
} from "./ai-sdk-sandbox/sandbox-session.ts";
