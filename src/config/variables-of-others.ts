/** What the command line client, programs of the clients, and the examples of the documentation read. */
const CLIENT_VARIABLES: ReadonlySet<string> = new Set([
  "MUSTER_URL",
  "MUSTER_PROFILE",
  "MUSTER_API_KEY",
  "MUSTER_TABLE_KEY",
  "MUSTER_AGUI_KEY",
  "MUSTER_A2A_KEY",
  "MUSTER_MCP_KEY",
  "MUSTER_AUTH",
  "MUSTER_AGENT",
  "MUSTER_TRIGGER_URL",
]);
/** The name of a variable of a link: `MUSTER_SERVICE_PORT_HTTP`, `MUSTER_DB_PORT_5432_TCP_ADDR`. */
const LINK = /_SERVICE_HOST$|_SERVICE_PORT|_PORT_\d+_(?:TCP|UDP|SCTP)/;
const ADDRESS = /^(?:tcp|udp|sctp):\/\//;

/**
 * Says whether a variable that begins with `MUSTER_` and is no setting belongs to somebody else: to a client of the
 * service, or to Kubernetes, which links each service called `muster` or `muster-…` into its containers.
 * `MUSTER_PORT=tcp://10.0.0.1:4400` is of a link, `MUSTER_PORT=4401` is not. See
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
export function isOfOthers(name: string, value: string): boolean {
  return CLIENT_VARIABLES.has(name) || LINK.test(name) || (name.endsWith("_PORT") && ADDRESS.test(value));
}
