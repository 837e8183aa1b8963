/** Lists, creates and deletes workspaces. To create one from an archive: `PUT /api/w/:name/archive` on a new name. */
import { z } from "zod";
import { countText } from "./path.ts";

export const workspaceName = z
  .string()
  .max(64)
  .regex(/^(?!\.+$)[A-Za-z0-9._-]+$/);

export const workspace = z.object({
  name: z.string(),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  from: z.object({ git: z.string() }).optional(),
});
export type WorkspaceInfo = z.infer<typeof workspace>;

export const workspacesQuery = z.strictObject({
  cursor: z.string().min(1).max(64).optional(),
  limit: countText(1000).optional(),
});
export const workspacesResponse = z.object({ workspaces: z.array(workspace), cursor: z.string().optional() });
export type WorkspacesResponse = z.infer<typeof workspacesResponse>;

export const createBody = z.strictObject({
  name: workspaceName,
  from: z
    .union([
      z.strictObject({
        /** http or https, cloned into the root. */
        git: z.url({ protocol: /^https?$/ }).max(4096),
        /** Default: the remote's default branch. */
        branch: z.string().min(1).max(256).optional(),
        depth: z.int().min(1).max(1_000_000).optional(),
      }),
      z.strictObject({}),
    ])
    .optional(),
});
export type CreateBody = z.infer<typeof createBody>;

/** URL parsers fold a path that leaves `files/` by `..` before sending it; such a path must never delete a whole workspace. */
export const deleteQuery = z.strictObject({
  /** Repeats the workspace's name. */
  confirm: z.string(),
});
