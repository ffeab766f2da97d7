/** Mail servers inside the operator's network, as `host` or `host:port` in lower case (setting `SMTP_RELAYS`). */
export type MailRelays = readonly string[];

/** Whether a server is a relay of the operator: it may be private, without TLS, and without a user. */
export function isMailRelay(relays: MailRelays, host: string, port: unknown): boolean {
  const name = host.toLowerCase();
  return relays.includes(name) || relays.includes(`${name}:${String(port)}`);
}
