import { generateToken, hashKey } from "#domain/access/api-key.ts";
import { deadlineText, questionText } from "#domain/people/question-message.ts";
import { openQuestion } from "#domain/tasks/open-question.ts";
import { outlastOutages } from "#db/outlast-outages.ts";
import { savePasswordReset } from "#db/queries/accounts/password-resets.ts";
import { readMailedQuestion, renewMailedInvitation } from "#db/queries/accounts/personal-mails.ts";
import { findCredentials } from "#db/queries/accounts/users.ts";
import type { PendingDelivery } from "#db/queries/destinations/pending-deliveries.ts";
import { attemptDelivery } from "#destinations/delivery/attempt-delivery.ts";
import type { AttemptOutcome } from "#destinations/delivery/attempt-delivery.ts";
import { personalMail } from "#destinations/delivery/personal-mail.ts";
import type { PersonalMail } from "#destinations/delivery/personal-mail.ts";
import { RESET_SECONDS } from "#operations/accounts/passwords.ts";
import { stopPath } from "#operations/accounts/question-mails.ts";
import type { DeliveryServices } from "./delivery-services.ts";
import { failedAttempt, notNeeded } from "./failed-attempt.ts";

const ASKED = "question.asked";
const MAX_TEXT = 5_000;

/** A mail without its server and sender, and its link, which is stored nowhere. */
type Written = Omit<PersonalMail, "server" | "from"> & {
  readonly path: string;
  /** The path of the link that ends such mails; absent for mails that one person has asked for. */
  readonly stopPath?: string;
};

/**
 * Makes one attempt to send a person a mail. Each attempt makes a new link: only its hash is stored, and that of an
 * attempt before no longer works. @throws as `runDelivery`
 */
export async function runMail(
  services: DeliveryServices,
  delivery: PendingDelivery & { readonly subscriptionId: string },
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { mail, settings, publicUrl } = services;
  const isQuestion = delivery.event === ASKED;
  if (mail === undefined) {
    return isQuestion ? notNeeded() : { ...failedAttempt("This instance has no SMTP_URL."), isFinal: true };
  }
  const { server, from, serviceName } = mail;
  const written = isQuestion
    ? await questionMail(services, delivery.id)
    : await write(services, { ...delivery, serviceName });
  if (written === undefined) return notNeeded("it is no longer needed");
  const { path, stopPath, ...content } = written;
  const { host, port } = server;
  return attemptDelivery({ ...settings, mailRelays: [`${host}:${port}`.toLowerCase()] }, personalMail, {
    deliveryId: delivery.id,
    config: { link: publicUrl + path, ...(stopPath !== undefined && { stop: publicUrl + stopPath }) },
    payload: { server, from, ...content },
    mappedCardId: null,
    googleAccessToken: () => Promise.reject(new Error("Mails use no Google account.")),
    signal,
  });
}

async function write(
  services: DeliveryServices,
  {
    event,
    subscriptionId: id,
    serviceName,
  }: PendingDelivery & { readonly subscriptionId: string; readonly serviceName: string },
): Promise<Written | undefined> {
  const db = outlastOutages(services.db);
  const token = generateToken();
  if (event === "mail.invitation") {
    const invitation = await renewMailedInvitation(db, id, hashKey(token));
    return invitation && { ...invitationMail(invitation, serviceName), path: `/auth/invitations?token=${token}` };
  }
  const person = await findCredentials(db, id);
  if (person?.passwordHash == null) return undefined;
  await savePasswordReset(db, { userId: id, tokenHash: hashKey(token), seconds: RESET_SECONDS });
  return { ...resetMail(person.email, serviceName), path: `/auth/reset?token=${token}` };
}

async function questionMail({ db, secrets }: DeliveryServices, id: string): Promise<Written | undefined> {
  const found = await readMailedQuestion(outlastOutages(db), id);
  if (found === undefined) return undefined;
  const { userId, email, workspaceName, asker, subject, runId, deadline } = found;
  const request = openQuestion.parse(found.request);
  const from = asker === "" ? "A question" : `${asker} asks`;
  return {
    to: email,
    subject: `${from}: ${request.title}`,
    before: [
      `${from} in “${subject}”, workspace ${workspaceName}:`,
      request.title,
      shortened(questionText(request)),
    ].filter(Boolean),
    action: "Answer it",
    after: [deadlineText(deadline, request)].filter(Boolean),
    path: `/r/${runId}/answer`,
    stopPath: stopPath(secrets, userId),
  };
}

/** The page has all of it. */
function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()} …` : text;
}

function invitationMail(
  { email, workspaceName, inviterName }: { email: string; workspaceName: string; inviterName: string },
  serviceName: string,
): Omit<Written, "path"> {
  return {
    to: email,
    subject: `${inviterName} invites you to ${workspaceName}`,
    before: [`${inviterName} invites you to the workspace ${workspaceName} on ${serviceName}.`],
    action: "Accept the invitation",
    after: ["The link works once, within seven days. If you do not know the sender, ignore this mail."],
  };
}

function resetMail(to: string, serviceName: string): Omit<Written, "path"> {
  return {
    to,
    subject: `Your new password for ${serviceName}`,
    before: [`Somebody, most likely you, has asked for a new password for ${to} on ${serviceName}.`],
    action: "Set a new password",
    after: ["The link works once, within a day. If it was not you, ignore this mail: your password stays as it is."],
  };
}
