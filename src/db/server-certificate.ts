import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";

const DEFAULT_PORT = 5432;
/** Length and code of the message SSLRequest: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const ACCEPTED = "S";

/**
 * Returns when the certificate of a PostgreSQL server ends; undefined for a server without TLS, or one that is reached
 * by a socket of this machine. The certificate is read, not checked: that is up to the connections that are used.
 * @param url of the database, as in DATABASE_URL
 * @throws Error when the server cannot be reached in time
 */
export async function certificateEnd(url: string, signal: AbortSignal): Promise<Date | undefined> {
  const { hostname, port, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? hostname;
  if (host === "" || host.startsWith("/")) return undefined;
  const socket = connect({ host, port: port === "" ? DEFAULT_PORT : Number(port), signal });
  try {
    await once(socket, "connect", { signal });
    socket.write(SSL_REQUEST);
    const [answer] = await once(socket, "data", { signal });
    if (String(answer) !== ACCEPTED) return undefined;
    const secured = connectTls({ socket, servername: host, rejectUnauthorized: false });
    await once(secured, "secureConnect", { signal });
    return new Date(secured.getPeerCertificate().valid_to);
  } finally {
    socket.destroy();
  }
}
