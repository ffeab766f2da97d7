/** What is in place of a secret. */
export const SECRET_MASK = "••••";
/** The last characters of shorter secrets would reveal too much of them. */
const MIN_LENGTH_SHOWN = 12;

/** What may be seen of a secret: four dots, and of a long one its last four characters. */
export function maskSecret(secret: string): string {
  return secret.length < MIN_LENGTH_SHOWN ? SECRET_MASK : SECRET_MASK + secret.slice(-4).toWellFormed();
}
