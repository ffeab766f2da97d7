import type { CallingVendor } from "#domain/people/channel-path.ts";
import { AppError } from "#domain/errors.ts";
import type { Services } from "../../context.ts";
import type { RouteConfig } from "../route-config.ts";
import type { Channel } from "./answer-press.ts";
import { answerDiscord, isFromDiscord } from "./discord.ts";
import { openCalledRoute } from "./open-route.ts";
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
 * Receives a call of a vendor: what somebody did in a channel. The answer or message is recorded in one transaction
 * before the vendor is answered; messages are posted and edited by deliveries afterwards.
 * @throws AppError `not_found` for a route to which nobody answers or writes there; `unauthorized` for a wrong or old signature
 */
export async function receiveCall(
  services: Services,
  { routeId, vendor }: { readonly routeId: string; readonly vendor: CallingVendor },
  call: VendorCall,
): Promise<VendorReply> {
  const { isFrom, answer } = VENDORS[vendor];
  const isSigned = (route: OpenRoute) => route.type === vendor && isFrom(route.config, call);
  const route = await openCalledRoute(services, routeId);
  if (route?.type !== vendor || (route.kind === "people" && !route.isActive))
    throw new AppError("not_found", "Channel not found");
  if (!isSigned(route)) throw new AppError("unauthorized", "The signature is wrong or too old.");
  const channel: Channel = {
    vendor,
    route,
    async otherRoute(id) {
      const other = await openCalledRoute(services, id);
      const mayAnswer = other?.isActive === true || other?.kind === "agent";
      return other !== undefined && mayAnswer && isSigned(other) ? other : undefined;
    },
  };
  return answer(services, channel, call);
}
