import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, idsOf } from "../support/api.ts";
import type { Api } from "../support/api.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { createAgent } from "../support/work.ts";
import { addWorkspace } from "../support/workspace.ts";

const READERS = 12;
const ROUNDS = 8;
const LIST = "/api-agents?limit=100";

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function newApi(): Promise<Api> {
  return apiOf(service, (await addWorkspace(service.databaseUrl)).key);
}

/** Asks for a list again and again until told to stop; gives the ids of every answer. */
function askOnAndOn(api: Api) {
  let stopped = false;
  const seen: (readonly string[])[] = [];
  const asked = (async () => {
    while (!stopped) seen.push(idsOf(await api.get(LIST)));
  })();
  return {
    async stop() {
      stopped = true;
      await asked;
      return seen;
    },
  };
}

verifies(
  "pagination.shared.fresh",
  "what was made is in every list that is asked for afterwards, however many ask for the same one at the same time",
  async () => {
    const api = await newApi();
    const others = Array.from({ length: READERS }, () => askOnAndOn(api));
    for (let made = 1; made <= ROUNDS; made++) {
      const { id } = await createAgent(api, {});
      const lists = await Promise.all(Array.from({ length: READERS }, () => api.get(LIST)));
      for (const list of lists) {
        expect(idsOf(list)[0]).toBe(id);
        expect(idsOf(list)).toHaveLength(made);
      }
    }
    for (const other of others) {
      const lengths = (await other.stop()).map((ids) => ids.length);
      expect(lengths, "nobody sees an older state after a newer one").toEqual(lengths.toSorted((a, b) => a - b));
    }
  },
);

verifies(
  ["pagination.shared.fresh", "auth.workspace-isolation"],
  "those who ask for the same list at the same time get that of their own workspace",
  async () => {
    const sides = await Promise.all([newApi(), newApi(), newApi()]);
    const made = await Promise.all(sides.map(async (api) => [(await createAgent(api, {})).id]));
    const asked = sides.flatMap((api, side) =>
      Array.from({ length: READERS }, async () => ({ side, ids: idsOf(await api.get(LIST)) })),
    );
    for (const { side, ids } of await Promise.all(asked)) expect(ids).toEqual(made[side]);
  },
);
