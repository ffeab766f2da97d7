import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { createCardTask, openChannel, readCall } from "#operations/destinations/trello.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { originOf } from "../../middleware/origin.ts";
import { countDelivery } from "../../middleware/rate-limit.ts";
import { endpoint } from "../shape/endpoint.ts";

const ROOT = "/inbound/trello/";
const params = z.strictObject({ channelId: givenId });

/** Returns the URL at which Trello calls a channel. Signatures cover it, so it must equal the registered one. */
export function inboundUrl(c: HttpContext, services: HttpServices, channelId: string): string {
  return originOf(c, services) + ROOT + channelId;
}

/** Adds /inbound/trello/{channelId}: HEAD answers Trello's check of the URL, POST receives its calls. */
export default function addInboundTrello(api: Api): void {
  addPath(api, `${ROOT}{channelId}`, { tag: "Triggers", endpoints: [check, receive] });
}

const check = endpoint({
  // The handler of GET also serves HEAD.
  method: "get",
  operationId: "checkTrelloChannel",
  needs: "public",
  summary: "Answer Trello's check that the URL of a channel exists",
  params,
  success: { status: 200 },
  async handle({ c, services, params }) {
    await openChannel(services, params.channelId);
    return c.body(null, 200);
  },
});

const receive = endpoint({
  method: "post",
  operationId: "deliverToTrelloChannel",
  needs: "public",
  summary: "Receive a call from Trello, signed in x-trello-webhook",
  params,
  success: { status: 200 },
  async handle({ c, services, params }) {
    const channel = await openChannel(services, params.channelId);
    const card = readCall(services, channel, {
      body: new Uint8Array(await c.req.arrayBuffer()),
      callbackUrl: inboundUrl(c, services, channel.id),
      signature: c.req.header("x-trello-webhook") ?? "",
    });
    if (card !== undefined) {
      // After the signature: forged calls must not use up the workspace's limit. Trello repeats calls that are rejected.
      await countDelivery(services, c, channel);
      await createCardTask(services, channel, card);
    }
    return c.body(null, 200);
  },
});
