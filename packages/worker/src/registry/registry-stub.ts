/** Returns the stub of the deployment's only registry. */
import { REGISTRY_NAME, type RegistryObject } from "./registry-object.ts";

export interface WithRegistry {
  REGISTRY: DurableObjectNamespace<RegistryObject>;
}

export function registryStub({ REGISTRY }: WithRegistry): DurableObjectStub<RegistryObject> {
  return REGISTRY.get(REGISTRY.idFromName(REGISTRY_NAME));
}
