import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";

/** The caller of a request with a bearer token. */
export interface BearerCaller {
  readonly principal: Principal;
  /** The key or access token itself; for comparison only, never shown. */
  readonly token: string;
  /** The client's IP address. */
  readonly address: string;
  /** Whose open streams count together, and how many may be open; by default the key's, or the person's. */
  readonly streams?: { readonly owner: string; readonly max: number };
  /**
   * Authenticates the token again, for a stream that stays open. @throws AppError `unauthorized` once it is invalid.
   */
  recheck(): Promise<Principal>;
}

/** True if an error means that a credential admits nobody here any more. */
export function isRejected(error: unknown): boolean {
  return isUnauthorized(error) || (error instanceof AppError && error.code === "forbidden");
}

/** True if an error means that a credential is invalid, not that it could not be checked. */
export function isUnauthorized(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "unauthorized";
}
