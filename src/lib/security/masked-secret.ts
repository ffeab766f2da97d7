/** The replacement of a secret. */
export const SECRET_MASK = "••••";
/** The last characters of shorter secrets would reveal too much. */
const MIN_LENGTH_SHOWN = 12;

/** Masks a secret: four dots, and the last four characters of a long one. */
export function maskSecret(secret: string): string {
  return secret.length < MIN_LENGTH_SHOWN ? SECRET_MASK : SECRET_MASK + secret.slice(-4).toWellFormed();
}
