import { z } from "zod";
import { answerJson, startFakeServer } from "../fake-server.ts";
import type { ShownQuestion } from "./teams.ts";

/** https://resend.com/docs/api-reference/emails/send-email */
const mail = z.strictObject({
  from: z.string(),
  to: z.array(z.email()).min(1).max(50),
  subject: z
    .string()
    .min(1)
    .regex(/^[^\r\n]*$/),
  html: z.string().min(1),
  text: z.string().min(1),
});

/** Starts Resend with one mailbox. */
export async function startMailbox() {
  const faults: string[] = [];
  const mails: ShownQuestion[] = [];
  const server = await startFakeServer(({ body }, response) => {
    const { data, error } = mail.safeParse(JSON.parse(body));
    if (data === undefined) {
      faults.push(error?.message ?? "");
      return answerJson(response, { name: "validation_error" }, 422);
    }
    const [, link] = /<a href="([^"]+)"/.exec(data.html) ?? [];
    mails.push({ text: data.text, link });
    answerJson(response, { id: "1" });
  });
  return {
    env: { RESEND_API_BASE: server.url },
    config: { api_key: "re_secret", from_email: "Muster <muster@example.com>", to_emails: "ana@example.com" },
    faults,
    mails: (): readonly ShownQuestion[] => mails,
    close: () => server.close(),
  };
}
