import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { CALLING_VENDORS } from "#domain/people/channel-path.ts";
import { receiveCall } from "#operations/destinations/channels/receive-call.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const params = z.strictObject({ routeId: givenId, vendor: z.enum(CALLING_VENDORS) });

/** Adds /channels/{routeId}/{vendor}: what people do in channels comes back here, signed by the vendor. */
export default function addInboundChannels(api: Api): void {
  addPath(api, "/channels/{routeId}/{vendor}", { tag: "Output routes", endpoints: [receive] });
}

const receive = endpoint({
  method: "post",
  operationId: "receiveFromChannel",
  needs: "public",
  summary: "Receive a press or a reply in a channel, signed by Slack, Telegram or Discord",
  params,
  // What it holds is the vendor's: nothing, or a method, a modal or a notice.
  success: { status: 200 },
  async handle({ c, services, params }) {
    const reply = await receiveCall(services, params, {
      body: Buffer.from(await c.req.arrayBuffer()),
      header: (name) => c.req.header(name) ?? "",
      now: new Date(),
    });
    // Slack takes an empty response to a press only.
    return reply === undefined ? c.body(null, 200) : c.json(reply);
  },
});
