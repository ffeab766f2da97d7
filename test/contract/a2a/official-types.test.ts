import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import type { A2aAnswers } from "../../support/a2a/types-0-3.ts";
import { post, streamed, userMessage } from "../../support/a2a/a2a.ts";
import { apiOf, send } from "../../support/api.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { typeErrors } from "../../support/clients/type-check.ts";
import type { TypedValue } from "../../support/clients/type-check.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent } from "../../support/work.ts";

const MAP = { file: join(import.meta.dirname, "../../support/a2a/types-0-3.ts"), name: "A2aAnswers" };
const FORM = '[[tool:request_form {"title":"Who?","fields":[{"key":"name","label":"Name","type":"text"}]}]]';
const task = z.looseObject({ result: z.looseObject({ id: z.string() }) });
const rejected = z.looseObject({
  error: z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
});
/** What a hybrid card has beyond 0.3, whose schema allows for more fields. */
const card = z.looseObject({
  supportedInterfaces: z.array(z.unknown()),
  capabilities: z.looseObject({ extendedAgentCard: z.literal(true) }),
});

let service: SharedService;
let agentId: string;

beforeAll(async () => {
  ({ service } = await useScriptedService());
  const tools = ["wait", "request_form"];
  const fields = { name: "Gardener", description: "Knows plants.", tools, is_a2a_published: true };
  agentId = (await createAgent(apiOf(service, service.keys.api), fields)).id;
});

const ask = async (method: string, params?: unknown) =>
  (await post(service, agentId, { jsonrpc: "2.0", id: 7, method, params })).body;

function as03(given: unknown): unknown {
  const { supportedInterfaces: _, capabilities, ...of03 } = card.parse(given);
  const { extendedAgentCard: __, ...capabilities03 } = capabilities;
  return { ...of03, capabilities: capabilities03 };
}

/** The schema allows any data of an error; the types made from it know objects only, and no list. */
function withoutData(given: unknown): unknown {
  const { error, ...response } = rejected.parse(given);
  return { ...response, error: { code: error.code, message: error.message } };
}

/** An answer of every method, some in more than one state. */
async function everyAnswer(): Promise<TypedValue[]> {
  const values: TypedValue[] = [];
  const add = (member: keyof A2aAnswers, value: unknown) => {
    values.push({ member, value });
    return value;
  };
  const done = task.parse(add("message/send", await ask("message/send", userMessage(QUICK)))).result.id;
  add("message/send", await ask("message/send", userMessage(FORM)));
  const begun = await ask("message/send", { ...userMessage(ENDLESS), configuration: { blocking: false } });
  const { id } = task.parse(add("message/send", begun)).result;
  for (const historyLength of [0, 10]) add("tasks/get", await ask("tasks/get", { id: done, historyLength }));
  const push = { taskId: id, pushNotificationConfig: { id: "c", url: "https://example.com/push", token: "t" } };
  add("tasks/pushNotificationConfig/set", await ask("tasks/pushNotificationConfig/set", push));
  const named = { id, pushNotificationConfigId: "c" };
  add("tasks/pushNotificationConfig/get", await ask("tasks/pushNotificationConfig/get", named));
  add("tasks/pushNotificationConfig/list", await ask("tasks/pushNotificationConfig/list", { id }));
  add("tasks/pushNotificationConfig/delete", await ask("tasks/pushNotificationConfig/delete", named));
  add("tasks/cancel", await ask("tasks/cancel", { id }));
  for (const text of [QUICK, '[[tool:wait {"seconds":0}]]\n[[say:done now]]']) {
    const events = await streamed(service, agentId, { method: "message/stream", params: userMessage(text) });
    for (const { eventId: _, ...event } of events) add("message/stream", event);
  }
  const again = await streamed(service, agentId, { method: "tasks/resubscribe", params: { id } });
  for (const { eventId: _, ...event } of again) add("tasks/resubscribe", event);
  for (const path of ["/.well-known/agent-card.json", `/a2a/${agentId}`]) {
    add("card", as03((await send("GET", service.url + path)).body));
  }
  const extended = z.looseObject({ result: z.unknown() }).parse(await ask("agent/getAuthenticatedExtendedCard"));
  add("agent/getAuthenticatedExtendedCard", { ...extended, result: as03(extended.result) });
  add("error", withoutData(await ask("tasks/get", { id: crypto.randomUUID() })));
  add("error", withoutData(await ask("no/such", {})));
  add("error", withoutData(await ask("message/send", {})));
  return values;
}

verifies(
  "a2a.schema.0-3",
  "every answer of 0.3 fits the types that the SDK generates from its JSON schema",
  async () => {
    const values = await everyAnswer();
    expect(typeErrors(MAP, values)).toEqual([]);
    // The judge sees a field that 0.3 does not have.
    const wrong = values
      .slice(0, 1)
      .map(({ member, value }) => ({ member, value: Object.assign({ extra: 1 }, value) }));
    expect(typeErrors(MAP, wrong)).toHaveLength(1);
  },
  { tags: "slow" },
);
