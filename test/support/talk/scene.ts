import { expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf } from "../api.ts";
import type { Api } from "../api.ts";
import { createRoute } from "../destinations/deliveries.ts";
import { eventually } from "../eventually.ts";
import type { TestService } from "../service.ts";
import { createAgent } from "../work.ts";
import { addWorkspace } from "../workspace.ts";
import type { FakeTalk, Person, SaidMessage, TalkTo, Writing } from "./fake-talk.ts";

export const ANA: Person = { id: "1001", name: "Ana" };
export const BEN: Person = { id: "1002", name: "Ben" };

/** A workspace with an agent that people talk to. */
export interface TalkScene {
  readonly api: Api;
  readonly desk: Api;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly to: TalkTo;
  /** Writes a message. */
  write(text: string, writing?: Partial<Writing>): Promise<void>;
  /** The messages since the scene began. */
  said(): readonly SaidMessage[];
  /** Waits until nothing is left to be said. */
  silence(): Promise<unknown>;
  /** Waits for a message of the agent with a text. */
  hears(text: string | RegExp): Promise<SaidMessage>;
}

/** Opens a workspace whose agent is connected to a fake vendor. */
export async function openTalkScene(
  service: TestService,
  talk: FakeTalk,
  { route: fields = {}, agent: settings = {} }: { readonly route?: object; readonly agent?: object } = {},
): Promise<TalkScene> {
  const workspace = await addWorkspace(service.databaseUrl, "enterprise");
  const [api, desk] = [apiOf(service, workspace.key), consoleOf(service, workspace.key)];
  const agent = await createAgent(api, { name: "Desk", ...settings });
  const { type, config, allowed } = talk;
  const route = await createRoute(desk, "", {
    name: "Talk",
    kind: "agent",
    type,
    config,
    agent_id: agent.id,
    allowed_user_ids: allowed,
    ...fields,
  });
  const before = talk.messages().length;
  const isDelivered = async () => {
    const list = await desk.get(`/deliveries?route_id=${route.id}&status=pending`);
    return z.array(z.unknown()).parse(list.body).length === 0;
  };
  const said = () => talk.messages().slice(before);
  const to = { url: service.url, routeId: route.id };
  return {
    api,
    desk,
    workspaceId: workspace.workspaceId,
    agentId: agent.id,
    to,
    said,
    async write(text, writing = {}) {
      expect((await talk.send(to, talk.compose(text, { person: ANA, ...writing }))).status).toBe(200);
    },
    silence: () => eventually("everything is said", isDelivered),
    hears: (text) =>
      eventually(`the agent says ${text}`, () =>
        said().find((one) => (typeof text === "string" ? one.text.includes(text) : text.test(one.text))),
      ),
  };
}
