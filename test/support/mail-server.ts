import { once } from "node:events";
import { simpleParser } from "mailparser";
import type { ParsedMail } from "mailparser";
import { SMTPServer } from "smtp-server";

/** A mail that a {@link MailServer} has accepted, with its recipients. */
export interface ReceivedMail {
  readonly mail: ParsedMail;
  readonly to: readonly string[];
  /** The link in its text. */
  readonly link: string;
}

/** A relay as operators have in their network: without TLS, and without a user. */
export interface MailServer {
  /** For the setting SMTP_URL. */
  readonly url: string;
  /** The mails so far. */
  readonly mails: readonly ReceivedMail[];
  /** Rejects the next mails, for now. */
  rejectNext(count: number): void;
  /** How many it has rejected so far. */
  rejected(): number;
  close(): Promise<void>;
}

/** Starts a mail server on loopback. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let [toReject, rejected] = [0, 0];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, session, done) {
      void simpleParser(stream).then((mail) => {
        if (toReject > 0) {
          toReject -= 1;
          rejected += 1;
          return done(Object.assign(new Error("Try again later"), { responseCode: 451 }));
        }
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ mail, to, link: /https?:\/\/\S+/.exec(mail.text ?? "")?.[0] ?? "" });
        return done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("The mail server has no port.");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    rejectNext(count) {
      toReject = count;
    },
    rejected: () => rejected,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
