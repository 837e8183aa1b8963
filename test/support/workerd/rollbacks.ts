/** The ways in which a transaction of the host ends, around a body that uses the workspace. */
import type { Inside } from "./in-object.ts";

export class Regret extends Error {}

type Transaction = (inside: Pick<Inside, "storage">, body: () => Promise<void>) => Promise<void>;

/** Nothing of the body stays in the database. */
export const ROLLBACKS: Record<string, Transaction> = {
  throws: ({ storage }, body) =>
    expectRegret(
      storage.transaction(async () => {
        await body();
        throw new Regret();
      }),
    ),
  "rolls back": ({ storage }, body) =>
    storage.transaction(async (txn) => {
      await body();
      txn.rollback();
    }),
  "rolls back and goes on": ({ storage }, body) =>
    storage.transaction(async (txn) => {
      await body();
      txn.rollback();
      for (let i = 0; i < 5; i++) await null;
    }),
  "rolls back inside another that commits": ({ storage }, body) =>
    storage.transaction(() =>
      expectRegret(
        storage.transaction(async () => {
          await body();
          throw new Regret();
        }),
      ),
    ),
};

export const ENDINGS: Record<string, Transaction> = {
  ...ROLLBACKS,
  commits: ({ storage }, body) => storage.transaction(body),
};

async function expectRegret(transaction: Promise<void>): Promise<void> {
  try {
    await transaction;
  } catch (error) {
    if (error instanceof Regret) return;
    throw error;
  }
  throw new Error("the transaction committed");
}
