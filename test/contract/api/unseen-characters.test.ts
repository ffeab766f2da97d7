import { afterAll, beforeAll, expect } from "vitest";
import { ADA_ENV, bearer, postAuth, signIn } from "../../support/accounts.ts";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask } from "../../support/work.ts";

/** Shows as `Paul`, and reads as something else. */
const DISGUISED = "\u202eP\u200ba\u2066u\ufeffl\u200f";

let service: SharedService;
/** Where people can sign in. */
let open: TestService;

beforeAll(async () => {
  service = await useSharedService();
  open = await startService({ env: ADA_ENV });
});
afterAll(() => open.stop());

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
  const others = [
    [await desk.post("/keys", { label: DISGUISED, kind: "table" }), "label"],
    [await desk.post("/routes", { name: DISGUISED, type: "http", config: { url: "https://e.invalid/" } }), "name"],
    [await desk.post("/trello-channels", { name: DISGUISED, secret: "s", assigned_agent_id: agent.id }), "name"],
    [await desk.post("/voice-profiles", { name: DISGUISED }), "name"],
  ] as const;
  for (const [answer, field] of others) expect(fieldsOf(answer)).toMatchObject({ [field]: "Paul" });
  expect(await createAgent(api, { name: "Tagged", tags: [DISGUISED] })).toMatchObject({ tags: ["Paul"] });
  const whole = "👩\u200d💻 می\u200cخواهم";
  expect(await createAgent(api, { name: whole })).toMatchObject({ name: whole });
});

verifies("hardening.names.roles", "no person is called like a role, in whatever letters", async () => {
  for (const name of ["Admin", " owner ", "\uff2fwner", "m\u200bember"]) {
    const asked = { email: "eve@example.org", password: "a long password", name };
    expect(refusal(await postAuth(open, "sign-up", asked))).toMatchObject({ status: 400, paths: ["name"] });
  }
  const { access_token } = await signIn(open);
  const change = (name: string) =>
    send("PATCH", `${open.url}/auth/me`, { headers: bearer(access_token), body: { name } });
  expect((await change("Ada Admin")).status).toBe(200);
  expect(refusal(await change("ADMIN"))).toMatchObject({ status: 400, paths: ["name"] });
});
