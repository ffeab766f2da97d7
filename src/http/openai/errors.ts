import type { AppError, ErrorCode } from "#domain/errors.ts";
import type { HttpContext } from "../context.ts";

/** OpenAI's error types (https://platform.openai.com/docs/guides/error-codes). */
const TYPES: Partial<Record<ErrorCode, string>> = {
  unauthorized: "authentication_error",
  forbidden: "permission_error",
  quota_exceeded: "insufficient_quota",
  rate_limit_exceeded: "rate_limit_error",
  internal_error: "server_error",
};

/** Responds with an error in OpenAI's form. An unknown model has OpenAI's own code, which programs look for. */
export function respondOpenAiError(c: HttpContext, error: AppError): Response {
  const type = TYPES[error.code] ?? (error.status >= 500 ? "server_error" : "invalid_request_error");
  const param = error.details?.[0]?.path ?? null;
  const code = error.code === "not_found" && param === "model" ? "model_not_found" : error.code;
  const body = { error: { message: error.message, type, param, code } };
  return c.json(body, error.status, { ...error.headers });
}
