import type { HarnessV1, HarnessV1SandboxProvider } from "@ai-sdk/harness";
import { HarnessAgent } from "@ai-sdk/harness/agent";
import { getWorkspace, type WorkspaceNamespace } from "@cloudflare/workspace";
import { createSandboxProvider } from "@cloudflare/workspace/adapters/ai-sdk-sandbox";

export function createHarnessAgent(env: { WORKSPACE: WorkspaceNamespace }, harness: HarnessV1) {
  const sandbox: HarnessV1SandboxProvider = createSandboxProvider({
    open: (sessionId) => getWorkspace(env.WORKSPACE, `sandbox-${sessionId}`),
  });
  return new HarnessAgent({ harness, sandbox });
}
