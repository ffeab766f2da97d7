import { z } from "zod";
import { apiOf, consoleOf, send } from "../api.ts";
import { createRoute, listDeliveries } from "../destinations/deliveries.ts";
import { eventually } from "../eventually.ts";
import { questionOf } from "../interactions.ts";
import { openAiAgent, startTask, taskEnd } from "../runs.ts";
import { createSchedule } from "../schedules.ts";
import { startScriptedProvider } from "../scripted-provider.ts";
import type { ProviderCall, ProviderReply, ScriptedProvider } from "../scripted-provider.ts";
import type { TestAccess } from "../service.ts";
import { calledBy, createCrewAgent, speakerOf, startPipeline } from "../teams/crew.ts";
import { createTask, readTask } from "../work.ts";

/** The titles of the work in a fixture. */
export const FINISHED = "finished before";
export const KILLED = "killed in a model call";
export const ASKS = "waits for an answer";
export const DELIVERED = "delivered later";
export const SCHEDULED = "scheduled for later";
export const PLANNED = "created by a schedule";
export const CREW = "a team's run";
export const FIRST_WORDS = "My number is 7.";
export const NEXT_WORDS = "What is my number?";

/** Longer than the recording takes, and over when the fixture is used. */
const SOON_MS = 60_000;
/** Not over when the fixture is used. */
const DAYS_MS = 6 * 86_400_000;

/** A provider for the work: while it is recorded, the last calls of what gets killed have no answer. */
export function startVendor(isRecorded: boolean): Promise<ScriptedProvider> {
  return startScriptedProvider((call, reply) => {
    if (!(isRecorded && hangs(call))) play(call, reply);
  });
}

function hangs(call: ProviderCall): boolean {
  return (call.task === KILLED && call.turn === 1) || (call.task === CREW && speakerOf(call) === "Bert");
}

function play(call: ProviderCall, reply: ProviderReply): void {
  if (call.task === KILLED && call.turn === 0) reply.callTool("current_time", {});
  else if (call.task === ASKS && call.turn === 0) {
    reply.callTool("request_approval", { title: "May I?", timeoutMs: DAYS_MS });
  } else reply.say(call.task === CREW ? `${speakerOf(call)} says so` : `done: ${call.task}`);
  reply.finish();
}

/** Creates work of each kind, and returns when all of it is where its process is to be killed. */
export async function createWork(service: TestAccess, vendor: ScriptedProvider, receiver: string): Promise<void> {
  const { api: key } = service.keys;
  const [api, desk] = [apiOf(service, key), consoleOf(service, key)];
  const agentId = await openAiAgent(service, { name: "Guide", tools: ["current_time", "request_approval"] });
  await taskEnd(service, await startTask(service, agentId, { title: FINISHED }));
  await createSchedule(desk, { name: PLANNED, title: PLANNED, description: "", assigned_agent_id: agentId });
  await converse(service, { input: FIRST_WORDS });
  await startTask(service, agentId, { title: KILLED });
  const asking = await startTask(service, agentId, { title: ASKS });
  await questionOf(service, { agentId, taskId: asking });
  const crew = await Promise.all(["Anna", "Bert"].map((name) => createCrewAgent(service, name)));
  await startPipeline(service, CREW, { steps: crew.map((agent_id) => ({ agent_id })) });
  await vendor.called(KILLED, 1);
  await calledBy(vendor, CREW, "Bert");
  const soon = new Date(Date.now() + SOON_MS).toISOString();
  const later = await createTask(api, { title: SCHEDULED, assigned_agent_id: agentId, scheduled_for: soon });
  const route = await createRoute(desk, `${receiver}/results`, { retry_delays: [SOON_MS / 1_000] });
  const sender = await openAiAgent(service, { name: "Sender", output_route_ids: [route.id] });
  await startTask(service, sender, { title: DELIVERED });
  await eventually("the delivery waits for its retry", async () => {
    const [delivery] = await listDeliveries(desk, `route_id=${route.id}`);
    return delivery?.status === "pending" && delivery.attempt_count === 1;
  });
  const { status } = await readTask(api, later.id);
  if (status !== "pending") throw new Error(`The recording took too long: the scheduled task is ${status}.`);
}

const response = z.looseObject({ id: z.string(), status: z.literal("completed") });

/** Says something to the first agent by the API for OpenAI clients. @returns the id to continue with */
export async function converse(service: TestAccess, body: Readonly<Record<string, string>>): Promise<string> {
  const answer = await send("POST", `${service.url}/v1/responses`, {
    headers: { authorization: `Bearer ${service.keys.api}` },
    body: { model: "Guide", ...body },
  });
  return response.parse(answer.body).id;
}
