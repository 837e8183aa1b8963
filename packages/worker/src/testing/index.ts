/** `@workspace/worker/testing`: the app as the suites outside of this package see it. */
export type { Endpoint } from "../endpoint/endpoint.ts";
export { endpoints } from "../endpoints.ts";
export { schemaOf } from "../openapi/open-api.ts";
export { Caller, call, refusal, TOKEN } from "./caller.ts";
