import type { CallingVendor } from "#domain/people/channel-path.ts";
import { AppError } from "#domain/errors.ts";
import type { Services } from "../../context.ts";
import type { RouteConfig } from "../route-config.ts";
import type { Channel } from "./answer-press.ts";
import { answerDiscord, isFromDiscord } from "./discord.ts";
import { openPeopleRoute } from "./open-route.ts";
import type { OpenRoute } from "./open-route.ts";
import { answerSlack, isFromSlack } from "./slack.ts";
import { answerTelegram, isFromTelegram } from "./telegram.ts";
import type { VendorCall, VendorReply } from "./vendor-call.ts";

const VENDORS = {
  slack: { isFrom: isFromSlack, answer: answerSlack },
  telegram: { isFrom: isFromTelegram, answer: answerTelegram },
  discord: { isFrom: isFromDiscord, answer: answerDiscord },
} as const satisfies Record<
  CallingVendor,
  {
    readonly isFrom: (config: RouteConfig, call: VendorCall) => boolean;
    readonly answer: (services: Services, channel: Channel, call: VendorCall) => Promise<VendorReply>;
  }
>;

/**
 * Receives a call of a vendor: what somebody did in a channel. The answer is recorded in one transaction before the
 * vendor is answered; messages are edited by deliveries afterwards.
 * @throws AppError `not_found` for a route that asks nobody there; `unauthorized` for a wrong or old signature
 */
export async function receiveCall(
  services: Services,
  { routeId, vendor }: { readonly routeId: string; readonly vendor: CallingVendor },
  call: VendorCall,
): Promise<VendorReply> {
  const { isFrom, answer } = VENDORS[vendor];
  const isSigned = (route: OpenRoute) => route.type === vendor && isFrom(route.config, call);
  const route = await openPeopleRoute(services, routeId);
  if (route?.type !== vendor) throw new AppError("not_found", "Channel not found");
  if (!isSigned(route)) throw new AppError("unauthorized", "The signature is wrong or too old.");
  const channel: Channel = {
    vendor,
    route,
    async otherRoute(id) {
      const other = await openPeopleRoute(services, id);
      return other !== undefined && isSigned(other) ? other : undefined;
    },
  };
  return answer(services, channel, call);
}
