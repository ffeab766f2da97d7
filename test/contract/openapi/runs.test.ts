import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { readDescription } from "../../support/checks/description.ts";
import type { Described } from "../../support/checks/description.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";

let service: SharedService;
let checked: Described["checked"];

beforeAll(async () => {
  service = await useSharedService();
  ({ checked } = await readDescription(service));
});

const keysOf = ({ body }: Answer) =>
  z
    .looseObject({ steps: z.array(z.looseObject({ key: z.string() })) })
    .parse(body)
    .steps.map(({ key }) => key);

verifies(
  "envelope.openapi.describes-answers",
  "runs and their steps are as the document says",
  async () => {
    const api = apiOf(service, service.keys.api);
    const agent = await createAgent(api, { tools: ["current_time", "request_input"] });
    const words = '[[slow:0]][[tool:current_time {}]][[tool:request_input {"title":"Which colour?"}]]';
    const asking = await createTask(api, { assigned_agent_id: agent.id, description: words });
    await taskIn(api, asking.id, "waiting_for_input");
    const run = await startRun(api, (await createTeam(api)).id);
    await runIn(api, run.id, "completed");
    for (const id of [asking.id, run.id]) {
      const at = `/console/api/runs/${id}`;
      const head = await checked("GET", "/console/api/runs/{id}", { at });
      const steps = await checked("GET", "/console/api/runs/{id}/steps", { at: `${at}/steps` });
      expect([head.status, steps.status]).toEqual([200, 200]);
      for (const key of keysOf(steps)) {
        const one = `${at}/step?key=${encodeURIComponent(key)}`;
        expect((await checked("GET", "/console/api/runs/{id}/step", { at: one })).status).toBe(200);
      }
    }
    const path = "/console/api/runs/{id}/step";
    const refused = await checked("GET", path, { at: `/console/api/runs/${run.id}/step?key=none` });
    expect(refused.status).toBe(404);
  },
  { tags: "slow" },
);
