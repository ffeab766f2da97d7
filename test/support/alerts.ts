import { z } from "zod";
import type { Api } from "./api.ts";
import { eventually } from "./eventually.ts";

const alert = z.looseObject({
  id: z.uuid(),
  state: z.enum(["ok", "firing"]),
  since: z.string(),
  last_value: z.number().nullable(),
  last_checked_at: z.string().nullable(),
  updated_at: z.string(),
  route_id: z.string().nullable(),
  route_name: z.string().nullable(),
});

/** An alert, with the fields that tests read. */
export type AlertFields = z.output<typeof alert>;

/** Creates an alert; returns its id. */
export async function createAlert(console_: Api, fields: Readonly<Record<string, unknown>>): Promise<string> {
  const answer = await console_.post("/alerts", { name: "Watch", ...fields });
  if (answer.status !== 201) throw new Error(`An alert was rejected with ${answer.status}: ${answer.text}`);
  return alert.parse(answer.body).id;
}

/** Reads an alert. */
export async function readAlert(console_: Api, id: string): Promise<AlertFields> {
  return alert.parse((await console_.get(`/alerts/${id}`)).body);
}

/** Waits until an alert was checked after its last change. */
export function checked(console_: Api, id: string): Promise<AlertFields> {
  return eventually(`alert ${id} is checked`, async () => {
    const now = await readAlert(console_, id);
    return now.last_checked_at !== null && now.last_checked_at > now.updated_at && now;
  });
}

/** Has an alert checked now, as its change does. */
export async function checkAgain(console_: Api, id: string): Promise<AlertFields> {
  await console_.patch(`/alerts/${id}`, { is_enabled: true });
  return checked(console_, id);
}
