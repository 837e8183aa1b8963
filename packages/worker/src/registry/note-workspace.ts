/**
 * Any name makes a workspace at its first change; this tells the registry of it, once per isolate and name. A failure is only logged:
 * the change is made, and the next one tells it again.
 */
import type { Env } from "../env.ts";
import { REGISTRY_NAME, type RegistryObject } from "./registry-object.ts";

const noted = new WeakMap<object, Set<string>>();
/** Names remembered; beyond it the registry is asked again. */
const REMEMBERED = 10_000;

export async function noteWorkspace(env: Env, name: string): Promise<void> {
  const known = namesNoted(env);
  if (known.has(name)) return;
  try {
    await registryOf(env).add(name);
    if (known.size >= REMEMBERED) known.clear();
    known.add(name);
  } catch (error) {
    console.error(error);
  }
}

export function forgetWorkspace(env: Env, name: string): void {
  namesNoted(env).delete(name);
}

export function registryOf(env: Env): DurableObjectStub<RegistryObject> {
  return env.REGISTRY.get(env.REGISTRY.idFromName(REGISTRY_NAME));
}

function namesNoted({ REGISTRY }: Env): Set<string> {
  const names = noted.get(REGISTRY) ?? new Set<string>();
  noted.set(REGISTRY, names);
  return names;
}
