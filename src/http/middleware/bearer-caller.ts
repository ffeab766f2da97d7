import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";

/** The caller behind a request's bearer token. */
export interface BearerCaller {
  readonly principal: Principal;
  /** The key or access token itself; for comparing, never for showing. */
  readonly token: string;
  /** Authenticates the token again, as for a stream that stays open. @throws AppError `unauthorized` once it is not valid. */
  recheck(): Promise<Principal>;
}

/** Whether an error says that a credential is not valid, rather than that it could not be checked. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof AppError && error.code === "unauthorized";
}
