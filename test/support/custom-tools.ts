import { z } from "zod";
import { consoleOf } from "./api.ts";
import type { ApiService } from "./runs.ts";

const made = z.looseObject({ id: z.uuid() });

/** What a custom tool is when a test does not care. */
export const ANY_TOOL = { name: "look_up", description: "Looks something up.", url: "https://tools.example/look-up" };

/** Creates a custom tool with these fields instead of the defaults; returns its id. */
export async function createTool(
  service: ApiService,
  fields: Readonly<Record<string, unknown>> = {},
  key = service.keys.api,
): Promise<string> {
  const answer = await consoleOf(service, key).post("/tools", { ...ANY_TOOL, ...fields });
  if (answer.status !== 201) throw new Error(`A tool was rejected with ${answer.status}: ${answer.text}`);
  return made.parse(answer.body).id;
}
