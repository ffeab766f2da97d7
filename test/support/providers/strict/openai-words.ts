import { Rejection } from "./strict-server.ts";

/** Rejects a request as OpenAI does. @throws Rejection */
export function openAiRefusal(
  message: string,
  { param = null, code = null, status = 400 }: { param?: string | null; code?: string | null; status?: number } = {},
): never {
  throw new Rejection(status, { error: { message, type: "invalid_request_error", param, code } });
}
