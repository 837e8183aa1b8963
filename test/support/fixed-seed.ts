/**
 * Gives fast-check one seed in every suite of Node, so that a run is judged by the change alone. `PROPERTY_SEED` takes another;
 * `npm run test:long` sets a fresh one and prints it. Suites in workerd take theirs from test/support/workerd/node-services.ts.
 */
import * as fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 843_503_756) });
