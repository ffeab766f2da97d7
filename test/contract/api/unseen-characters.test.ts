import { beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask } from "../../support/work.ts";

/** Shows as `Paul`, and reads as something else. */
const DISGUISED = "\u202eP\u200ba\u2066u\ufeffl\u200f";

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
});

verifies("hardening.names.unseen", "names and titles lose invisible marks; emoji and scripts stay whole", async () => {
  const api = apiOf(service, service.keys.api);
  const desk = consoleOf(service, service.keys.api);
  const agent = await createAgent(api, { name: DISGUISED });
  expect(agent).toMatchObject({ name: "Paul" });
  expect(fieldsOf(await api.patch(`/api-agents?id=${agent.id}`, { name: `${DISGUISED}!` }))).toMatchObject({
    name: "Paul!",
  });
  expect(await createTeam(api, { name: DISGUISED })).toMatchObject({ name: "Paul" });
  expect(await createTask(api, { title: DISGUISED })).toMatchObject({ title: "Paul" });
  expect(fieldsOf(await desk.patch("/workspace", { name: DISGUISED }))).toMatchObject({ name: "Paul" });
  expect((await api.post("/api-agents", { name: "\u200b\u202e", model: "demo" })).status).toBe(400);
  const whole = "👩\u200d💻 می\u200cخواهم";
  expect(await createAgent(api, { name: whole })).toMatchObject({ name: whole });
});
