import { DESTINATIONS } from "#destinations/gen/registry.ts";
import type { Destination } from "#destinations/define-destination.ts";
import { attemptDelivery } from "#destinations/delivery/attempt-delivery.ts";
import type { DeliverySettings } from "#destinations/delivery/delivery-attempt.ts";
import type { AttemptOutcome } from "#destinations/delivery/attempt-delivery.ts";
import type { Payload } from "#domain/destinations/payload.ts";
import { createSafeLookup } from "#lib/safe-fetch/safe-fetch.ts";
import { NO_PROXIES } from "#lib/safe-fetch/proxies.ts";
import { createSafeRequest } from "#lib/safe-fetch/safe-request.ts";

/** What the fake Google takes as an access token. */
export const ACCESS_TOKEN = "ya29.secret-access-token";
/** The id of each delivery of {@link deliver}. */
export const DELIVERY_ID = "01900000-0000-7000-8000-00000000d311";

/** A payload of a task that has completed. */
export const PAYLOAD: Payload = {
  event: "task.completed",
  task_id: "01900000-0000-7000-8000-0000000000a1",
  team_run_id: null,
  task_title: "Weekly report",
  agent_name: "Writer",
  status: "completed",
  result_preview: "All is well.",
  result_full: "All is well.",
  error: null,
  timestamp: "2026-11-20T10:30:00.000Z",
  attachments: [],
};

/** The same of one that has failed. */
export const FAILED: Payload = {
  ...PAYLOAD,
  event: "task.failed",
  status: "failed",
  result_preview: "",
  result_full: "",
  error: "The model is overloaded.",
};

/** The same of an alert that fires. */
export const FIRING: Payload = {
  ...PAYLOAD,
  event: "alert.firing",
  task_id: null,
  task_title: "Too many failures",
  agent_name: "Writer",
  status: "firing",
  result_preview: "7 of the 30 runs failed.",
  result_full: "7 of the 30 runs failed.",
  alert: {
    id: "01900000-0000-7000-8000-0000000000a7",
    name: "Too many failures",
    kind: "failure_rate",
    state: "firing",
    threshold: 20,
    window_minutes: 60,
    agent_id: null,
    team_id: null,
    target_name: "Writer",
    is_test: false,
    value: 23.3,
    runs: 30,
    failed: 7,
    route_id: null,
    route_name: null,
    url: "https://muster.example.com/w/1/runs?status=failed",
  },
};

/** A delivery to make; what is absent is as usual. */
export interface TestDelivery {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly payload?: Payload;
  /** The base URL of every vendor. */
  readonly base?: string;
  readonly mappedCardId?: string;
  readonly settings?: Partial<DeliverySettings>;
}

/** Makes one attempt, as the engine does. */
export function deliver({ type, config, payload = PAYLOAD, base, mappedCardId, settings }: TestDelivery) {
  const bases = DESTINATIONS.flatMap(({ vendor }) => (vendor?.base === undefined ? [] : [vendor.setting]));
  return attemptDelivery(
    {
      send: createSafeRequest({ proxies: NO_PROXIES, reach: "private" }),
      lookup: createSafeLookup({ reach: "private" }),
      reach: "private",
      sendAnywhere: createSafeRequest({ proxies: NO_PROXIES, reach: "anywhere" }),
      vendorBases: base === undefined ? {} : Object.fromEntries(bases.map((name) => [name, base])),
      serviceName: "Service",
      timeoutMs: 5_000,
      maxLimitedMs: 0,
      mailRelays: [],
      ...settings,
    },
    destinationOf(type),
    {
      deliveryId: DELIVERY_ID,
      config,
      payload,
      mappedCardId: mappedCardId ?? null,
      googleAccessToken: async () => ACCESS_TOKEN,
      signal: new AbortController().signal,
    },
  );
}

/** A registered destination. @throws Error for a type that is none. */
export function destinationOf(type: string): Destination {
  const destination = DESTINATIONS.find((one) => one.type === type);
  if (destination === undefined) throw new Error(`There is no destination ${type}.`);
  return destination;
}

/** All that an outcome shows to people, as one text. */
export function shownOf({ error, request, response }: AttemptOutcome): string {
  return [error, request, response].join("\n");
}
