import * as fc from "fast-check";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, fieldsOf } from "../../support/api.ts";
import { arbitraryBody } from "../../support/checks/arbitrary-body.ts";
import { readDescription } from "../../support/checks/description.ts";
import type { Described } from "../../support/checks/description.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask } from "../../support/work.ts";

const RUNS = 80;
const SLOW = 120_000;
const ROOT = "/functions/v1";

/** Fields that random names and ids would make invalid in most bodies; set in every second one. */
const KNOWN = {
  model: "demo",
  fallback_model: null,
  fallback_models: [],
  provider: undefined,
  reasoning: undefined,
  output_schema: null,
  tools: [],
  voice_profile_id: null,
  output_template_id: null,
  knowledge_base_ids: [],
  output_route_ids: null,
};

/** A random agent, team or file is unknown. */
const NO_OTHERS = { assigned_agent_id: undefined, assigned_team_id: undefined, attachments: [] };

/** A random agent is unknown, and a random status ends the task. */
const NO_DISPATCH = { assigned_agent_id: undefined, assigned_team_id: undefined, status: undefined };

/** Random routes are unknown. */
const NO_ROUTES = { output_route_ids: null };

/** The writing operations, and the statuses that random bodies must bring about so that the test has tried both. */
const WRITES: readonly { readonly operation: string; readonly brings: readonly number[]; readonly known?: object }[] = [
  { operation: "POST api-agents", brings: [201, 400], known: KNOWN },
  { operation: "PATCH api-agents", brings: [200, 400], known: KNOWN },
  { operation: "POST api-tasks", brings: [201, 400], known: NO_OTHERS },
  { operation: "PATCH api-tasks", brings: [200, 400], known: NO_DISPATCH },
  { operation: "POST api-teams", brings: [201, 400], known: NO_ROUTES },
  { operation: "PATCH api-teams", brings: [200, 400], known: NO_ROUTES },
  { operation: "POST api-runs", brings: [404, 400] },
  { operation: "PATCH api-runs", brings: [400] },
  { operation: "POST api-hooks", brings: [201, 400] },
];

const refTo = z.looseObject({ $ref: z.string() });

let service: SharedService;
let description: Described;
/** What each resource's PATCH changes. */
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await useSharedService();
  description = await readDescription(service);
  const api = apiOf(service, service.keys.api);
  const team = await createTeam(api);
  ids = {
    "api-agents": (await createAgent(api)).id,
    "api-tasks": (await createTask(api)).id,
    "api-teams": team.id,
    "api-runs": (await startRun(api, team.id)).id,
  };
  expect(fieldsOf(await api.get("/api-me"))).toHaveProperty("id");
});

verifies("envelope.openapi.describes-answers", "every writing operation of the envelope API is tried here", () => {
  const writing = Object.entries(description.document.paths).flatMap(([path, methods]) =>
    path.startsWith(ROOT)
      ? Object.entries(methods)
          .filter(([, { requestBody }]) => requestBody !== undefined)
          .map(([method]) => `${method.toUpperCase()} ${path.slice(ROOT.length + 1)}`)
      : [],
  );
  expect(writing.toSorted()).toEqual(WRITES.map(({ operation }) => operation).toSorted());
});

for (const { operation, brings, known } of WRITES) {
  verifies(
    ["envelope.openapi.describes-answers", "envelope.body.any-is-answered"],
    `${operation} answers any body as the document says, never with a fault of the service`,
    async () => {
      const [method = "", name = ""] = operation.split(" ");
      const path = `${ROOT}/${name}`;
      const body = description.document.paths[path]?.[method.toLowerCase()]?.requestBody;
      const { $ref } = refTo.parse(body?.content["application/json"]?.schema);
      const schema = description.document.components.schemas[$ref.split("/").at(-1) ?? ""];
      const at = method === "PATCH" ? `${path}?id=${ids[name]}` : path;
      const seen = new Set<number>();
      await fc.assert(
        fc.asyncProperty(arbitraryBody(schema), fc.boolean(), async (random, spoiled) => {
          const sent = isObject(random) && known !== undefined && !spoiled ? { ...random, ...known } : random;
          const { status } = await description.checked(method, path, { at, body: JSON.stringify(sent) });
          seen.add(status);
          expect(status).toBeLessThan(500);
        }),
        { numRuns: RUNS },
      );
      expect([...seen]).toEqual(expect.arrayContaining([...brings]));
    },
    SLOW,
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
