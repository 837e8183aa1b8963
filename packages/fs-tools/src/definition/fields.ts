/** Fields that several tools share, so that they are described once and alike. */
import { z } from "zod";

export const pathField = z.string().min(1).describe("Absolute, or relative to the working directory");
export const optionalPath = z.string().min(1).optional().describe("Default: the working directory");
export const formatField = z.enum(["json", "text"]).optional().describe("Default json");
export const cursorField = z.string().optional().describe("Of a truncated answer, to go on");
export const count = z.number().int().min(0).optional();
