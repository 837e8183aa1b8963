/** The shape of every error response. docs/guide/http-api.md lists the codes; unless `code` is UNAVAILABLE, nothing was changed. */
import { z } from "zod";

export const apiError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    /** How to fix it. */
    hint: z.string(),
    /** The path in the workspace, if the error concerns one. */
    path: z.string().optional(),
    /** With ECONFLICT: the changes that block an undo. */
    conflicts: z.array(z.looseObject({ path: z.string(), reason: z.string() })).optional(),
  }),
});
export type ApiError = z.infer<typeof apiError>;
