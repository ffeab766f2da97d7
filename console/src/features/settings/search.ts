import { oneOf, textOf } from "../../lib/search.ts";

/** What entries of the audit log can be about. */
export const AUDIT_KINDS = [
  "agent",
  "budget",
  "invitation",
  "key",
  "mcp_tool",
  "member",
  "provider_key",
  "route",
  "run",
  "service_account",
  "webhook",
  "workspace",
] as const;

/** The search parameters of the audit log. */
export interface AuditSearch {
  readonly kind?: (typeof AUDIT_KINDS)[number];
  readonly actor?: string;
}

/** Reads the search parameters of the audit log; unknown ones are dropped. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const [kind, actor] = [oneOf(search["kind"], AUDIT_KINDS), textOf(search["actor"])];
  return { ...(kind !== undefined && { kind }), ...(actor !== undefined && { actor }) };
}

/** The search parameters of the members and the keys. */
export interface NewSearch {
  /** The dialog that makes one is open. */
  readonly add?: "yes" | undefined;
  readonly q?: string | undefined;
}

/** The search parameters of the keys. */
export interface KeysSearch extends NewSearch {
  /** The id of the key whose dialog is open. */
  readonly key?: string | undefined;
}

/** The search parameters of the service accounts. */
export interface ServiceAccountsSearch extends NewSearch {
  /** The id of the account whose dialog is open. */
  readonly account?: string | undefined;
}

/** Reads those of the service accounts; unknown parameters are dropped. */
export function readServiceAccountsSearch(search: Record<string, unknown>): ServiceAccountsSearch {
  const account = textOf(search["account"]);
  return { ...readNewSearch(search), ...(account !== undefined && { account }) };
}

/** Reads those of the keys; unknown parameters are dropped. */
export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const key = textOf(search["key"]);
  return { ...readNewSearch(search), ...(key !== undefined && { key }) };
}

/** The search parameters of the profile. */
export interface ProfileSearch {
  /** The id of the passkey that is being renamed. */
  readonly passkey?: string | undefined;
}

/** Reads those of the profile; unknown parameters are dropped. */
export function readProfileSearch(search: Record<string, unknown>): ProfileSearch {
  const passkey = textOf(search["passkey"]);
  return passkey === undefined ? {} : { passkey };
}

/** Reads them; unknown parameters are dropped. */
export function readNewSearch(search: Record<string, unknown>): NewSearch {
  const [add, q] = [oneOf(search["add"], ["yes"] as const), textOf(search["q"])];
  return { ...(add !== undefined && { add }), ...(q !== undefined && { q }) };
}
