import { once } from "node:events";
import { connect, isIP } from "node:net";
import type { Socket } from "node:net";
import { isMailRelay } from "#domain/destinations/mail-relay.ts";
import { outgoingUrlIssue } from "#domain/destinations/outgoing-url.ts";
import { checkAddress } from "#lib/safe-fetch/check-url.ts";
import type { DeliveryContext, DeliveryRequest, Destination } from "../define-destination.ts";
import type { DeliveryAttempt, DeliverySettings } from "./delivery-attempt.ts";
import { call } from "./call.ts";
import { DeliveryError } from "./delivery-error.ts";
import type { ExchangeLog } from "./exchange-log.ts";

/** The dependencies of a context. */
export interface ContextParts {
  readonly settings: DeliverySettings;
  readonly destination: Pick<Destination, "vendor">;
  readonly attempt: Pick<DeliveryAttempt, "deliveryId" | "traceparent" | "mappedCardId" | "googleAccessToken">;
  readonly log: ExchangeLog;
  /** Extended by the secrets that the attempt obtains. */
  readonly secrets: Set<string>;
  readonly startedAt: Date;
  /** Aborts all requests and connections. */
  readonly signal: AbortSignal;
}

/** Creates the context of one attempt. */
export function createContext({ settings, attempt, log, secrets, ...parts }: ContextParts): DeliveryContext {
  return {
    deliveryId: attempt.deliveryId,
    serviceName: settings.serviceName,
    now: parts.startedAt,
    traceparent: attempt.traceparent,
    mappedCardId: attempt.mappedCardId,
    ...createCalls({ settings, attempt, log, secrets, ...parts }),
    connect: (host, port) => connectSafely(settings, { host, port, signal: parts.signal }),
    isMailRelay: (host, port) => isMailRelay(settings.mailRelays, host, port),
    record(request, response) {
      log.requests.push(request);
      log.responses.push(response);
    },
    async googleAccessToken() {
      const token = await attempt.googleAccessToken();
      secrets.add(token);
      return token;
    },
  };
}

function createCalls({ settings, destination: { vendor }, log, signal }: ContextParts) {
  const { send, sendAnywhere, vendorBases, reach } = settings;
  // A base URL set by the operator may be private; the vendor's own is guarded like any other.
  const ownBase = vendor === undefined ? undefined : vendorBases[vendor.setting];
  const toVendor = (path: string, request: DeliveryRequest) =>
    ownBase === undefined
      ? call(log, { ...request, send, signal, url: `${vendor?.base ?? ""}${path}` })
      : call(log, { ...request, send: sendAnywhere, signal, url: ownBase + path });

  return {
    callApi: toVendor,
    async callUrl(given: string, request: DeliveryRequest) {
      const url = new URL(given);
      if (ownBase !== undefined) return toVendor(url.pathname + url.search, request);
      const issue = outgoingUrlIssue(url, { allowPrivate: reach !== "public" });
      if (issue !== undefined) throw new DeliveryError(issue.endsWith(".") ? issue : `The URL ${issue}.`);
      return call(log, { ...request, send, signal, url: url.href });
    },
  };
}

async function connectSafely(
  { lookup, reach, mailRelays }: DeliverySettings,
  { signal, ...target }: { readonly host: string; readonly port: number; readonly signal: AbortSignal },
): Promise<Socket> {
  const isRelay = isMailRelay(mailRelays, target.host, target.port);
  if (!isRelay && isIP(target.host) !== 0) checkAddress(target.host, target.host, reach);
  const socket = connect({ ...target, ...(!isRelay && { lookup }) });
  const end = () => socket.destroy();
  signal.addEventListener("abort", end, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", end));
  await once(socket, "connect", { signal });
  return socket;
}
