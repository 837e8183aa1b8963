/** For drizzle-kit, which `npm run db:generate` runs. */
export default { dialect: "sqlite", schema: "./packages/vfs/src/db/schema.ts", out: "./migrations/sql" };
