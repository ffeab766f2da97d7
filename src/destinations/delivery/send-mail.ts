import type { DeliveryContext } from "../define-destination.ts";
import type { Mail } from "../message/mail.ts";
import { DeliveryError } from "./delivery-error.ts";

/** The port that speaks TLS from the start; on all others STARTTLS is required (RFC 8314). */
const TLS_PORT = 465;

/** A mail server with the account that sends. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** Whether it speaks TLS from the start; by default on port 465. */
  readonly isSecure?: boolean;
  /** Undefined for a relay of the operator, which knows the sender by its address. */
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

/** A mail with its addresses. */
export interface AddressedMail extends Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a mail by SMTP: encrypted, and with the server's certificate checked. Without a user, to a relay of the operator
 * only, and encrypted if the relay offers it. @throws DeliveryError when the server
 * rejects a recipient, and the errors of nodemailer
 */
export async function sendMail(context: DeliveryContext, server: MailServer, mail: AddressedMail): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const { host, port, auth, isSecure = port === TLS_PORT } = server;
  if (auth === undefined && !context.isMailRelay(host, port)) {
    throw new DeliveryError(`${host}:${port} needs a user name and password: it is none of SMTP_RELAYS.`);
  }
  // A relay's certificate is often its own; without a password, an attacker gains no more than without TLS.
  const security = auth === undefined ? { tls: { rejectUnauthorized: false } } : { requireTLS: true, auth };
  const connection = await context.connect(host, port);
  // `host` is the name that the certificate must have.
  const transport = createTransport({ connection, host, secure: isSecure, ...security });
  const request = `SMTP ${host}:${port}\nTo: ${mail.to.join(", ")}\nSubject: ${mail.subject}\n\n${mail.text}`;
  let reply = "";
  try {
    const messageId = `<${context.deliveryId}@muster>`;
    const { response, rejected } = await transport.sendMail({ ...mail, to: [...mail.to], messageId });
    reply = response;
    if (rejected.length === 0) return;
    // The others have the mail: sending it again would double it for them.
    throw new DeliveryError(`The server rejected ${rejected.join(", ")}; the other recipients have the mail.`, {
      isFinal: true,
    });
  } finally {
    context.record(request, reply);
    transport.close();
  }
}
