import { createHmac } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import { chooseQuestionMails } from "#db/queries/accounts/personal-mails.ts";
import { isUuid } from "#lib/ids.ts";
import { areEqual } from "#lib/security/equal-texts.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import type { Services } from "../context.ts";

/** Where the link of a mail leads that ends such mails. */
export const STOP_PATH = "/auth/unsubscribe";
const PURPOSE = "question-mails";

/** The link that ends a person's mails about questions, which proves no more than that. It has no end. */
export function stopPath(secrets: SecretBox, userId: string): string {
  return `${STOP_PATH}?token=${userId}.${signatureOf(secrets.derive(PURPOSE), userId)}`;
}

/** Ends a person's mails about questions, by the token of a mail. @throws AppError `not_found` */
export async function stopQuestionMails(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  token: string,
): Promise<void> {
  const [userId = "", signature = ""] = token.split(".", 2);
  const keys = secrets.deriveAll(PURPOSE);
  if (!isUuid(userId) || !keys.some((key) => areEqual(signature, signatureOf(key, userId)))) {
    throw new AppError("not_found", "This link is invalid. Your profile in the console has the setting.");
  }
  await chooseQuestionMails(db, userId, []);
}

function signatureOf(key: Buffer, userId: string): string {
  return createHmac("sha256", key).update(userId).digest("base64url");
}
