import { expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf } from "../api.ts";
import type { Api } from "../api.ts";
import { createRoute, deliveriesOver } from "../destinations/deliveries.ts";
import { eventually } from "../eventually.ts";
import { callOf } from "../interactions.ts";
import { freePort } from "../free-port.ts";
import { startService } from "../service.ts";
import type { TestService } from "../service.ts";
import { createAgent, createTask, taskIn } from "../work.ts";
import { addWorkspace } from "../workspace.ts";
import type { Called, FakeChannel, ShownMessage } from "./fake-channel.ts";

const question = z.looseObject({ id: z.string(), state: z.string(), answer: z.unknown() });

/** Starts a service with a public address, as messages have it, that sends to a fake channel. */
export async function startPublicService(env: Readonly<Record<string, string>>): Promise<TestService> {
  const PORT = String(await freePort());
  const service = await startService({ env: { ...env, PORT, PUBLIC_URL: "https://muster.example.com" } });
  return { ...service, url: `http://127.0.0.1:${PORT}` };
}

export const ANA = { id: "1001", name: "Ana" } as const;
export const BEN = { id: "1002", name: "Ben" } as const;

/** A question that was asked. */
export interface Asked {
  readonly taskId: string;
  readonly questionId: string;
  /** The new message in the channel. */
  readonly message: ShownMessage;
}

/** A workspace with a route that asks people. */
export interface PeopleScene {
  readonly api: Api;
  readonly desk: Api;
  readonly workspaceId: string;
  readonly route: Called;
  /** Lets an agent ask, and waits for the message. */
  ask(tool: string, fields?: object, config?: object): Promise<Asked>;
  /** The question as the API shows it now. */
  questionNow(asked: Pick<Asked, "questionId">): Promise<Record<string, unknown>>;
  /** Waits until the message was edited. */
  edited(asked: Asked): Promise<ShownMessage>;
}

/** Opens a workspace whose questions go to a fake channel. */
export async function openPeopleScene(
  service: TestService,
  channel: FakeChannel,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<PeopleScene> {
  const workspace = await addWorkspace(service.databaseUrl, "enterprise");
  const [api, desk] = [apiOf(service, workspace.key), consoleOf(service, workspace.key)];
  const { type, config } = channel;
  const route = await createRoute(desk, "", { name: "People", kind: "people", type, config, ...fields });
  const now = (id: string) => channel.messages().find((one) => one.id === id);
  return {
    api,
    desk,
    workspaceId: workspace.workspaceId,
    route: { url: service.url, routeId: route.id },
    async ask(tool, input = {}, agentConfig = {}) {
      const before = new Set(channel.messages().map(({ id }) => id));
      const agent = await createAgent(api, { name: "Asker", tools: [tool], config: agentConfig });
      const description = callOf(tool, { title: "Ship it?", timeoutMs: 600_000, ...input });
      const task = await createTask(api, { title: "Release 2", description, assigned_agent_id: agent.id });
      await taskIn(api, task.id, "waiting_for_input");
      const open = await desk.get(`/questions?run_id=${task.id}`);
      const [asked] = z.object({ items: z.array(question) }).parse(open.body).items;
      const message = await eventually("the message is in the channel", () =>
        channel.messages().find(({ id }) => !before.has(id)),
      );
      await deliveriesOver(desk, route.id);
      return { taskId: task.id, questionId: asked?.id ?? "", message };
    },
    async questionNow({ questionId }) {
      return question.parse((await desk.get(`/questions/${questionId}`)).body);
    },
    edited: async ({ message }) =>
      eventually("the message is edited", () => {
        const found = now(message.id);
        return found !== undefined && found.edits > 0 && found;
      }),
  };
}

/** Expects a vendor to have rejected nothing. */
export function expectNoFaults(channel: FakeChannel): void {
  expect(channel.faults).toEqual([]);
}
