import { z } from "zod";
import { apiOf, listOf } from "./api.ts";
import type { Answer, Api } from "./api.ts";

const shown = z.looseObject({ id: z.string(), key: z.string(), expires_at: z.string().nullable() });

/** A new key, with its text, which is shown once. */
export type ShownKey = z.output<typeof shown>;

/** Creates a key with these fields instead of the defaults. @param by the console's API for who creates it */
export async function createKey(by: Api, fields: Readonly<Record<string, unknown>> = {}): Promise<ShownKey> {
  return shownIn(await by.post("/keys", { label: "Mine", kind: "envelope", ...fields }));
}

/** Replaces a key by a new one. */
export async function rotateKey(by: Api, id: string, overlapSeconds: number): Promise<ShownKey> {
  return shownIn(await by.post(`/keys/${id}/rotate`, { overlap_seconds: overlapSeconds }));
}

/** The key in the response that creates it. @throws Error when none was created */
export function shownIn(answer: Answer): ShownKey {
  if (answer.status !== 201) throw new Error(`A key was rejected with ${answer.status}: ${answer.text}`);
  return shown.parse(answer.body);
}

/** A key as the list shows it. */
export async function listedKey(by: Api, id: string): Promise<Record<string, unknown> | undefined> {
  return listOf(await by.get("/keys")).find((key) => key["id"] === id);
}

/** The status of a request with a key to the envelope API. */
export async function keyStatus(on: { readonly url: string }, key: string): Promise<number> {
  return (await apiOf(on, key).get("/api-me")).status;
}
