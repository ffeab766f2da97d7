import { z } from "zod";
import { apiOf } from "../../../support/api.ts";
import type { Api } from "../../../support/api.ts";
import { eventually } from "../../../support/eventually.ts";
import { useProvider } from "../../../support/providers/scripted-agents.ts";
import type { RawReply, ReplyTo, StrictReply, StrictServer } from "../../../support/providers/strict/strict-server.ts";
import type { SharedService } from "../../../support/shared-service.ts";
import { createAgent, createTask, readTask } from "../../../support/work.ts";
import type { TaskFields } from "../../../support/work.ts";

/** A workspace that is connected to a strict vendor. */
export interface StrictScene {
  readonly service: SharedService;
  readonly api: Api;
  readonly vendor: StrictServer;
  /** Lets an agent with these fields do a task while the vendor gives these replies; returns the task at its end. */
  run(
    fields: Readonly<Record<string, unknown>>,
    ...replies: readonly (StrictReply | RawReply | ReplyTo)[]
  ): Promise<TaskFields>;
  /** The body of the request with this number that the vendor accepted, from 0. */
  sent(number: number): Record<string, unknown>;
}

/** Opens the workspace. @param provider the id under which the vendor is connected */
export async function openStrictScene(provider: string, vendor: StrictServer): Promise<StrictScene> {
  const service = await useProvider(vendor, provider);
  const api = apiOf(service, service.keys.api);
  return {
    service,
    api,
    vendor,
    async run(fields, ...replies) {
      vendor.plays(...replies);
      const { id: agent } = await createAgent(api, { ...DEFAULTS, provider, ...fields });
      const { id } = await createTask(api, { assigned_agent_id: agent, description: "Do it." });
      return endOf(api, id);
    },
    sent: (number) => z.record(z.string(), z.unknown()).parse(vendor.accepted[number]?.body),
  };
}

const DEFAULTS = { tools: ["current_time"], system_prompt: "Be brief." };
const ENDED: ReadonlySet<string> = new Set(["completed", "failed"]);

/** Waits until a task has ended. */
export function endOf(api: Api, id: string): Promise<TaskFields> {
  return eventually(`task ${id} has ended`, async () => {
    const now = await readTask(api, id);
    return ENDED.has(now.status) && now;
  });
}

/** The text of a request's body, to search it. */
export function textOf(body: unknown): string {
  return JSON.stringify(body);
}
