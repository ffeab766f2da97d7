import { z } from "zod";
import { isRecord } from "#lib/is-record.ts";

const request = z.looseObject({ id: z.union([z.string(), z.number()]), method: z.string() });
const errorWithoutId = z.looseObject({ id: z.null().optional(), error: z.record(z.string(), z.unknown()) });

/**
 * Gives an error without an id the id of its request. Servers that do not know the session often respond so; the client
 * would wait for another response until its time limit.
 * @param text the body of the request
 */
export async function withOwnId(text: string | undefined, response: Response): Promise<Response> {
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  const asked = request.safeParse(parsed(text ?? ""));
  if (!response.ok || !isJson || !asked.success) return response;
  const body = await response.text();
  const { status, statusText, headers } = response;
  return new Response(corrected(body, asked.data.id), { status, statusText, headers });
}

function corrected(body: string, id: string | number): string {
  const value = parsed(body);
  if (!isRecord(value) || !errorWithoutId.safeParse(value).success) return body;
  return JSON.stringify({ ...value, id });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
