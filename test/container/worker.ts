/**
 * The Worker of the container tests: the reference deployment with containers, and sandboxes with settings of their own, each with a
 * class of workspaces that use it.
 */
import { WorkspaceObject } from "@cloudflare/workspace";
import { Sandbox } from "@cloudflare/workspace/sandbox";

export {
  ContainerProxy,
  default,
  RegistryObject,
  Sandbox,
  WorkspaceObject,
} from "../../packages/worker/src/containers.ts";

type Options = ConstructorParameters<typeof import("@cloudflare/workspace").Workspace>[0];

/** May reach one host. Both are answered here, because there is no network; what is not allowed never gets as far. */
export class AllowingSandbox extends Sandbox {
  static override readonly network = { allow: ["allowed.example"] };
}
AllowingSandbox.outboundByHost = {
  "allowed.example": async () => new Response("the allowed one"),
  "other.example": async () => new Response("the other one"),
};

export class AllowingWorkspace extends WorkspaceObject<{ ALLOWING: DurableObjectNamespace }> {
  protected override createWorkspace(options: Options) {
    return super.createWorkspace({ ...options, sandbox: this.env.ALLOWING.getByName("allowing") });
  }
}

/** May reach one host of those that are outside. */
export class NamedSandbox extends Sandbox {
  static override readonly network = { allow: ["named.example"] };
}

export class NamedWorkspace extends WorkspaceObject<{ NAMED_BOX: DurableObjectNamespace }> {
  protected override createWorkspace(options: Options) {
    return super.createWorkspace({ ...options, sandbox: this.env.NAMED_BOX.getByName("named") });
  }
}

/** May reach everything. */
export class OpenSandbox extends Sandbox {
  static override readonly network = "open";
}

export class OpenWorkspace extends WorkspaceObject<{ OPEN_BOX: DurableObjectNamespace }> {
  protected override createWorkspace(options: Options) {
    return super.createWorkspace({ ...options, sandbox: this.env.OPEN_BOX.getByName("open") });
  }
}

/** Falls asleep at once, as far as anybody lets it. */
export class SleepySandbox extends Sandbox {
  override sleepAfter = "3s";
}

export class SleepyWorkspace extends WorkspaceObject<{ SLEEPY: DurableObjectNamespace }> {
  protected override createWorkspace(options: Options) {
    const sandboxSettings = { ...options.sandboxSettings, idleMs: 500 };
    return super.createWorkspace({ ...options, sandboxSettings, sandbox: this.env.SLEEPY.getByName("sleepy") });
  }
}

/** Names an address for each port that it exposes. */
export class PreviewingWorkspace extends WorkspaceObject<{ PREVIEWING_BOX: DurableObjectNamespace }> {
  protected override createWorkspace(options: Options) {
    const previewUrl = async (port: number) => `https://p${port}.preview.example/`;
    const sandboxSettings = { ...options.sandboxSettings, previewUrl };
    return super.createWorkspace({ ...options, sandboxSettings, sandbox: this.env.PREVIEWING_BOX.getByName("ports") });
  }
}

export class PreviewingSandbox extends Sandbox {}
