import { defineConfig } from "drizzle-kit";

export default defineConfig({ dialect: "sqlite", schema: "./packages/vfs/src/db/schema.ts", out: "./migrations/sql" });
