import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, refusal } from "../../support/api.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const records = z.array(z.looseObject({ id: z.string().optional(), user_id: z.string().optional() }));

let desk: ReturnType<typeof consoleOf>;
let agentId: string;
beforeAll(async () => {
  const { service, api } = await useScriptedService();
  desk = consoleOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
});

async function made(path: string, body: object): Promise<string> {
  const answer = await desk.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return z.looseObject({ id: z.string() }).parse(answer.body).id;
}

async function found(path: string, q: string): Promise<readonly (string | undefined)[]> {
  const answer = await desk.get(`${path}?q=${encodeURIComponent(q)}`);
  expect(answer.status, answer.text).toBe(200);
  return records.parse(answer.body).map((record) => record.id ?? record.user_id);
}

verifies(
  "envelope.text-search",
  "schedules, triggers, routes, webhooks, tools and keys are found by a text",
  async () => {
    const plan = { title: "Report", assigned_agent_id: agentId };
    const route = { type: "http", config: { url: "https://localhost/in" } };
    const tool = { description: "Finds it.", url: "https://localhost/x", method: "GET" };
    const lists = [
      { path: "/schedules", one: { ...plan, name: "Zebra 100%", cron: "0 9 * * *" } },
      { path: "/triggers", one: { ...plan, name: "Zebra 100%" } },
      { path: "/routes", one: { ...route, name: "Zebra 100%" } },
      { path: "/tools", one: { ...tool, name: "zebra_100" } },
      { path: "/keys", one: { label: "Zebra 100%", kind: "envelope" } },
    ];
    for (const { path, one } of lists) {
      const other = "label" in one ? { ...one, label: "Lion" } : { ...one, name: "lion" };
      const [zebra, lion] = [await made(path, one), await made(path, other)];
      expect(await found(path, "ZEBRA"), path).toEqual([zebra]);
      expect(await found(path, zebra.slice(0, 30)), path).toContain(zebra);
      expect(await found(path, "z_bra"), path).toEqual([]);
      expect(await found(path, "lion"), path).toEqual([lion]);
      expect(refusal(await desk.get(`${path}?q=${"x".repeat(201)}`))).toMatchObject({ status: 400 });
    }
    const hook = await made("/hooks", { target_url: "https://localhost/Zebra", event: "task_failed" });
    await made("/hooks", { target_url: "https://localhost/lion", event: "task_failed" });
    expect(await found("/hooks", "zebra")).toEqual([hook]);
  },
);

verifies("envelope.text-search", "a schedule has to match the text and the other filters", async () => {
  const plan = { title: "Report", assigned_agent_id: agentId, cron: "0 9 * * *" };
  const active = await made("/schedules", { ...plan, name: "Giraffe in the morning" });
  const paused = await made("/schedules", { ...plan, name: "Giraffe at noon", is_active: false });
  expect(new Set(await found("/schedules", "giraffe"))).toEqual(new Set([active, paused]));
  const filtered = await desk.get(`/schedules?q=giraffe&is_active=false&agent_id=${agentId}`);
  expect(records.parse(filtered.body).map(({ id }) => id)).toEqual([paused]);
});

verifies("envelope.text-search", "members are found by a part of the name or the e-mail address", async () => {
  const [member] = records.parse((await desk.get("/members")).body);
  const { email } = z.looseObject({ email: z.string() }).parse(member);
  expect(await found("/members", email.slice(1, -2).toUpperCase())).toEqual([member?.user_id]);
  expect(await found("/members", "nobody@nowhere")).toEqual([]);
});
