import { errors } from "oidc-provider";
import type { ClientMetadata, Configuration } from "oidc-provider";

/** The property under which the library calls {@link settleMetadata}; no client sets it. */
const SETTLED = "muster_settled";

/**
 * Settles what clients declare about themselves, in a registration or a metadata document: what they leave out or get
 * wrong gets the value that works here, as RFC 7591 (3.2.1) allows. All are public clients or have keys of their own.
 */
export const clientMetadata: Configuration["extraClientMetadata"] = {
  properties: [SETTLED],
  validator: (_ctx, _key, _value, metadata) => settleMetadata(metadata),
};

/** What has a meaning here: programs that also know other servers declare more, such as algorithms of ID tokens. */
const DECLARED: ReadonlySet<string> = new Set([
  "client_id",
  "client_name",
  "redirect_uris",
  "token_endpoint_auth_method",
  "jwks",
  "jwks_uri",
]);
/** In characters of JSON: what programs declare is a tenth of it. */
const MAX_METADATA = 10_000;
const MAX_NAME = 100;
const MAX_URIS = 20;

function settleMetadata(metadata: ClientMetadata): void {
  for (const [name, value] of Object.entries(metadata)) {
    if (!DECLARED.has(name) || value === null || value === "") delete metadata[name];
  }
  const { redirect_uris: uris = [], client_name: name } = metadata;
  // The library has not checked anything yet, and says what is wrong with types.
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === "string")) return;
  // Any port of a loopback address is allowed to native clients only (RFC 8252, 7.3), and many do not say that they are.
  metadata.application_type = uris.every(isHttps) ? "web" : "native";
  metadata.response_types = ["code"];
  metadata.grant_types = ["authorization_code", "refresh_token"];
  if (metadata.token_endpoint_auth_method !== "private_key_jwt") metadata.token_endpoint_auth_method = "none";
  if (typeof name === "string" && name.length > MAX_NAME) {
    throw new errors.InvalidClientMetadata(`client_name must have at most ${MAX_NAME} characters`);
  }
  if (uris.length > MAX_URIS) {
    throw new errors.InvalidClientMetadata(`redirect_uris must have at most ${MAX_URIS} members`);
  }
  if (JSON.stringify(metadata).length > MAX_METADATA) {
    throw new errors.InvalidClientMetadata(`the metadata must have at most ${MAX_METADATA} characters`);
  }
}

function isHttps(uri: string): boolean {
  const url = URL.parse(uri);
  return url?.protocol === "https:";
}
