import { KEY_KINDS, generateKey } from "#domain/access/api-key.ts";
import type { KeyKind } from "#domain/access/api-key.ts";
import type { RequestHeaders } from "./ask.ts";
import type { Side } from "./side.ts";

/**
 * The headers of a request to a surface that the owner of a workspace may make, by what they hold.
 * @param anon the key that all clients of the table API have, where it is known
 */
export function credentialsFor(path: string, { keys, token }: Side, anon?: string): readonly RequestHeaders[] {
  const signedIn = token === undefined ? [] : [bearer(token)];
  if (path === "/a2a" || path.startsWith("/a2a/")) return [...[keys.a2a, keys["ag-ui"]].map(bearer), ...signedIn];
  if (path.startsWith("/ag-ui/")) return [...[keys["ag-ui"], keys.a2a, keys.envelope].map(bearer), ...signedIn];
  if (path === "/mcp") return [bearer(keys.mcp), ...signedIn];
  if (path.startsWith("/v1/")) return [bearer(keys.envelope), ...signedIn];
  if (path.startsWith("/rest/v1/")) {
    const own = { apikey: keys.table, ...bearer(keys.table) };
    if (anon === undefined) return [own];
    return [...[bearer(keys.table), ...signedIn].map((header) => ({ apikey: anon, ...header })), own];
  }
  if (path.startsWith("/auth/")) return signedIn;
  return [{ "x-api-key": keys.envelope }, ...signedIn];
}

/** The headers of requests to a surface that no caller may make. */
export function wrongCredentialsFor(path: string, { keys }: Side, known?: string): readonly RequestHeaders[] {
  const anon = known ?? generateKey("anon");
  const others = (...right: readonly KeyKind[]) =>
    KEY_KINDS.filter((kind) => !right.includes(kind)).map((kind) => keys[kind]);
  if (path === "/a2a" || path.startsWith("/a2a/")) {
    return [{}, { "x-api-key": keys.a2a }, ...[anon, ...others("ag-ui", "a2a")].map(bearer)];
  }
  if (path.startsWith("/ag-ui/")) {
    return [{}, { "x-api-key": keys["ag-ui"] }, ...[anon, ...others("ag-ui", "a2a", "envelope")].map(bearer)];
  }
  if (path.startsWith("/v1/")) {
    return [{}, { "x-api-key": keys.envelope }, ...[anon, ...others("envelope")].map(bearer)];
  }
  if (path === "/mcp") return [{}, { "x-api-key": keys.mcp }, ...[anon, ...others("mcp")].map(bearer)];
  if (path.startsWith("/rest/v1/")) {
    const bearers = [anon, ...others("table")].map((key) => ({ apikey: anon, ...bearer(key) }));
    return [{}, { apikey: anon }, bearer(keys.table), ...bearers];
  }
  const asKeys = path.startsWith("/auth/") ? KEY_KINDS.map((kind) => keys[kind]) : others("envelope");
  const bearers = [anon, ...KEY_KINDS.map((kind) => keys[kind])].map(bearer);
  return [{}, ...[anon, ...asKeys].map((key) => ({ "x-api-key": key })), ...bearers];
}

function bearer(token: string): RequestHeaders {
  return { authorization: `Bearer ${token}` };
}
