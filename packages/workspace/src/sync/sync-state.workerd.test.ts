import { inObject } from "@workspace/testing/in-object";
import { ROLLBACKS } from "@workspace/testing/rollbacks";
import { describe, expect, it } from "vitest";
import { SyncState } from "./sync-state.ts";

describe("SyncState", () => {
  it.each(Object.entries(ROLLBACKS))("says what the database holds after a transaction that %s", (_, rollBack) =>
    inObject(async (inside) => {
      const state = new SyncState(inside.volume, () => "secret");
      state.ports = [3000];
      state.advance("container", "before", "rules");
      await rollBack(inside, async () => {
        state.ports = [];
        state.advance("container", "in it", "rules");
      });
      expect(state.ports).toEqual([3000]);
      expect(state.cursorOf("container")).toBe("before");
      const other = new SyncState(inside.volume, () => "another secret");
      expect([other.secret, other.ports]).toEqual(["secret", [3000]]);
    }),
  );

  it.each(Object.entries(ROLLBACKS))(
    "has the secret that a container may know after a transaction that %s",
    (_, rollBack) =>
      inObject(async (inside) => {
        let created = 0;
        const state = new SyncState(inside.volume, () => `secret ${created++}`);
        await rollBack(inside, async () => {
          expect(state.secret).toBe("secret 0");
          state.advance("container", "in it", "rules");
        });
        expect(state.secret).toBe("secret 0");
        expect(state.cursorOf("container")).toBeNull();
        expect(new SyncState(inside.volume, () => "another").secret).toBe("secret 0");
      }),
  );
});
