// Made by `npm run api:generate`. Do not edit it.

import {
  NetworkPolicy,
} from "./index.d.ts";

import {
  Container,
} from "@cloudflare/containers";

export {
  NetworkPolicy,
} from "./index.d.ts";

export {
  ContainerProxy,
} from "@cloudflare/containers";

export class Sandbox<Env = Cloudflare.Env> extends Container<Env> {
  #private;
  static readonly network: NetworkPolicy;
  defaultPort: number;
  requiredPorts: number[];
  sleepAfter: string | number;
  pingEndpoint: string;
  constructor(ctx: DurableObjectState, env: Env);
  fetch(request: Request): Promise<Response>;
  onActivityExpired(): Promise<void>;
}

export {};
