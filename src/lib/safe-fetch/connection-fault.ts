import { codeOf } from "../error-code.ts";
/** What the codes of common errors mean. */
const FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  ECONNREFUSED: "it rejects connections",
  ECONNRESET: "it closed the connection",
  ENOTFOUND: "its name does not exist",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is from an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is from an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is from an unknown authority",
  UND_ERR_CONNECT_TIMEOUT: "it did not accept the connection in time",
  UND_ERR_PRX_CONN: "it closed the connection",
  UND_ERR_PRX_TLS: "its certificate is for another name",
  UND_ERR_SOCKET: "it closed the connection",
};

/** Why a connection to a server failed, as a clause about it: "it rejects connections (ECONNREFUSED)". */
export function connectionFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  if (code === "") return error.message;
  const fault = FAULTS[code];
  return fault === undefined ? code : `${fault} (${code})`;
}
