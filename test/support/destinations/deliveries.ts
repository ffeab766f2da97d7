import { z } from "zod";
import { payload } from "#domain/destinations/payload.ts";
import type { Payload } from "#domain/destinations/payload.ts";
import type { Api } from "../api.ts";
import { eventually } from "../eventually.ts";
import { answerJson, startFakeServer } from "../fake-server.ts";
import type { SeenRequest } from "../fake-server.ts";

/** A receiver's rate limit lets a delivery wait. */
const MAX_WAIT_MS = 90_000;

const attempt = z.looseObject({
  attempt: z.int(),
  status: z.string(),
  http_code: z.int().nullable(),
  error: z.string().nullable(),
  request: z.string(),
  response: z.string(),
  created_at: z.string(),
});
const delivery = z.looseObject({
  id: z.uuid(),
  event: z.string(),
  route_id: z.uuid().nullable(),
  subscription_id: z.uuid().nullable(),
  status: z.string(),
  attempt_count: z.int(),
  http_code: z.int().nullable(),
  error: z.string().nullable(),
  is_test: z.boolean(),
});
const details = delivery.extend({ attempts: z.array(attempt) });
const route = z.looseObject({
  id: z.uuid(),
  health: z.string(),
  failures_in_row: z.int(),
  config: z.record(z.string(), z.unknown()),
});

/** A delivery, with the fields that tests read. */
export type DeliveryFields = z.output<typeof delivery>;
/** An output route, with the fields that tests read. */
export type RouteFields = z.output<typeof route>;

/** A receiver of HTTP deliveries whose answers can be set. */
export interface Receiver {
  readonly url: string;
  /** What it was sent below a path, parsed. */
  received(path: string): readonly (Payload & { readonly id?: string | undefined })[];
  /** The requests below a path. */
  requests(path: string): readonly SeenRequest[];
  /** The status of the answers to a path from now on; 0 leaves them open. */
  answerWith(path: string, status: number): void;
  close(): Promise<void>;
}

/** Starts a receiver that answers 200 until another answer is set. */
export async function startReceiver(): Promise<Receiver> {
  const statuses = new Map<string, number>();
  const server = await startFakeServer(({ path }, response) => {
    const status = statuses.get(path) ?? 200;
    if (status !== 0) answerJson(response, { status }, status);
  });
  const requests = (path: string) => server.seen.filter((seen) => seen.path === path);
  return {
    url: server.url,
    requests,
    received: (path) =>
      requests(path).map(({ body }) => payload.extend({ id: z.uuid().optional() }).strict().parse(JSON.parse(body))),
    answerWith: (path, status) => void statuses.set(path, status),
    close: () => server.close(),
  };
}

/** Creates an HTTP route to a URL, with these fields instead of the defaults. */
export async function createRoute(
  console_: Api,
  url: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<RouteFields> {
  const body = { name: "Results", type: "http", config: { url }, retry_delays: [1], ...fields };
  const answer = await console_.post("/routes", body);
  if (answer.status !== 201) throw new Error(`A route was rejected with ${answer.status}: ${answer.text}`);
  return route.parse(answer.body);
}

/** Reads a route. */
export async function readRoute(console_: Api, id: string): Promise<RouteFields> {
  return route.parse((await console_.get(`/routes/${id}`)).body);
}

/** Lists deliveries. @param query such as `status=failed` */
export async function listDeliveries(console_: Api, query = ""): Promise<DeliveryFields[]> {
  return z.array(delivery).parse((await console_.get(`/deliveries?${query}`)).body);
}

/** Reads a delivery with its attempts. */
export async function readDelivery(console_: Api, id: string) {
  return details.parse((await console_.get(`/deliveries/${id}`)).body);
}

/** Waits until as many deliveries of a receiver as expected are over; returns them, newest first. */
export function deliveriesOver(console_: Api, targetId: string, count = 1): Promise<DeliveryFields[]> {
  return eventually(
    `${count} deliveries of ${targetId} are over`,
    async () => {
      const all = await listDeliveries(console_, `route_id=${targetId}&limit=200`);
      return all.length >= count && all.every(({ status }) => status !== "pending") && all;
    },
    MAX_WAIT_MS,
  );
}
