/**
 * Before the SDK. The objects load zod when a tool is first used, so the bundler makes it wait; and as zod says that it has no side effects,
 * the bundler forgets to wake it for the SDK's schemas, which are made at once.
 */
import { z } from "zod";

export const zod = z.string();
