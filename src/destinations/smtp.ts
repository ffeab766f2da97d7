import { z } from "zod";
import { line, secret, subjectTemplate, wholeNumber } from "./config/fields.ts";
import { recipients, sender } from "./config/mail-addresses.ts";
import { defineDestination } from "./define-destination.ts";
import type { DeliveryContext } from "./define-destination.ts";
import { sendMail } from "./delivery/send-mail.ts";
import { writeMail, writeQuestionMail } from "./message/mail.ts";
import type { Mail } from "./message/mail.ts";

const WITHOUT = "Only a relay in SMTP_RELAYS works without.";
const HOST = /^[A-Za-z0-9.:-]+$/;

const fields = z.strictObject({
  smtp_host: z
    .string()
    .trim()
    .max(253)
    .regex(HOST, "must be a host name, such as smtp.example.com")
    .meta({ title: "SMTP Host" }),
  smtp_port: wholeNumber({ min: 1, max: 65_535 }).meta({
    title: "SMTP Port",
    description: "587, or 465 for TLS from the start.",
  }),
  username: line("Username", 320).optional().meta({ title: "Username", description: WITHOUT }),
  password: secret("Password").optional().meta({ title: "Password", writeOnly: true, description: WITHOUT }),
  from_email: sender("From Email"),
  to_emails: recipients("To Email(s)"),
  subject_template: subjectTemplate(),
});

/** Sends a mail by a server of the workspace's choice, encrypted and with its certificate checked. */
export default defineDestination({
  type: "smtp",
  title: "E-mail (SMTP)",
  description: "Sends an e-mail by your own SMTP server; TLS is required.",
  guide: {
    setup:
      "The server must offer TLS with a valid certificate: STARTTLS on port 587, or TLS from the start on 465. A relay inside the network needs neither, nor a user, if the operator names it in `SMTP_RELAYS`.",
    example: {
      smtp_host: "smtp.example.com",
      smtp_port: 587,
      username: "muster@example.com",
      password: "an app password",
      from_email: "Muster <muster@example.com>",
      to_emails: "ada@example.com",
      subject_template: "{{title}} is {{status}}",
    },
  },
  config: fields,
  people: {
    setup: "Nothing more: a mail has the link to the answer page. Whoever has the mail may answer.",
    async ask(context, given, message) {
      await send(context, given, writeQuestionMail(context.serviceName, message));
      return null;
    },
  },
  deliver: (context, given, payload) =>
    send(context, given, writeMail(context.serviceName, payload, given.subject_template)),
});

async function send(context: DeliveryContext, config: z.output<typeof fields>, mail: Mail): Promise<void> {
  const { smtp_host: host, smtp_port: port, username: user, password: pass } = config;
  const addresses = { from: config.from_email, to: config.to_emails };
  const auth = user === undefined || pass === undefined ? undefined : { user, pass };
  await sendMail(context, { host, port, auth }, { ...mail, ...addresses });
}
