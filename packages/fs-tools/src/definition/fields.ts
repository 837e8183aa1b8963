/** Fields that several tools share, so that each is described once. */
import * as z from "zod";

export const pathField = z.string().min(1);
export const optionalPath = z.string().min(1).optional();
export const formatField = z.enum(["json", "text"]).optional();
export const cursorField = z.string().optional();
export const count = z.number().int().min(0).optional();
