import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { ask } from "#tenancy/ask.ts";
import { ROUTE_CHECKS } from "#tenancy/check-routes.ts";
import type { Walk } from "#tenancy/check-routes.ts";
import { PROBES } from "#tenancy/probes.ts";
import { send } from "../../support/api.ts";
import { servedRoutes } from "../../support/checks/served-routes.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { openSide } from "../../support/tenancy/open-side.ts";
import { verifies } from "../../support/verifies.ts";

const ROUTES = servedRoutes();
const [foreignIds, withoutIds, withoutKey] = ROUTE_CHECKS;
const SLOW = 300_000;

const documentShape = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

let service: TestService;
let client: Client;
let walk: Walk;

beforeAll(async () => {
  service = await startService({ env: { SIGN_UP: "open" } });
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  const own = await openSide(client, service.url, "One of the two");
  const other = await openSide(client, service.url, "Another of the two");
  walk = { baseUrl: service.url, anon: service.keys.anon, client, own, other, send: ask };
}, SLOW);
afterAll(async () => {
  await client.end();
  await service.stop();
});

verifies(
  ["auth.matrix.complete", "auth.workspace-isolation"],
  "every route of the service is in the matrix, and nothing else",
  async () => {
    expect(Object.keys(PROBES).toSorted()).toEqual(ROUTES);
    const { paths } = documentShape.parse((await send("GET", `${service.url}/openapi.json`)).body);
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      ROUTES.includes(`ANY ${path}`) ? [] : Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(ROUTES).toEqual(expect.arrayContaining(documented));
  },
);

verifies(
  ["auth.workspace-isolation", "envelope.id.foreign-looks-unknown", "tenancy.surfaces.foreign-looks-unknown"],
  "with another workspace's credentials, its ids get the response of unknown ids",
  async () => {
    expect(await foreignIds.find(walk)).toEqual([]);
  },
  SLOW,
);

// In both directions: what names no row could show the oldest one of all workspaces, or the newest one.
for (const [of, turned] of [
  ["the second workspace from the first", false],
  ["the first workspace from the second", true],
] as const) {
  verifies(
    ["auth.workspace-isolation", "tenancy.surfaces.nothing-revealed"],
    `requests that name nothing of it show and change nothing of ${of}`,
    async () => {
      const { own, other } = walk;
      const sides = turned ? { own: other, other: own } : { own, other };
      expect(await withoutIds.find({ ...walk, ...sides })).toEqual([]);
    },
    SLOW,
  );
}

verifies(
  ["auth.workspace-isolation", "auth.matrix.wrong-credentials"],
  "without a key, and with keys of the wrong kind, everything is rejected in the same way",
  async () => {
    expect(await withoutKey.find(walk)).toEqual([]);
  },
  SLOW,
);
