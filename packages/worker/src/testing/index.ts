/** `@workspace/worker/testing`: the app for the suites outside of this package. */

export { routes } from "../routes/all-routes.ts";
export { schemaOf } from "../routes/openapi.ts";
export type { Route } from "../routes/route.ts";
export { ApiClient, call, refusal, TOKEN } from "./api-client.ts";
