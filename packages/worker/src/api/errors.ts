/** The one shape of every refusal. `code` is in the table of docs/guide/http-api.md; unless it is UNAVAILABLE, nothing was changed. */
import { z } from "zod";

export const apiError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    /** What to do about it. */
    hint: z.string(),
    /** In the workspace, when there is one. */
    path: z.string().optional(),
    /** With ECONFLICT: what stands in the way of an undo. */
    conflicts: z.array(z.looseObject({ path: z.string(), reason: z.string() })).optional(),
  }),
});
export type ApiError = z.infer<typeof apiError>;
