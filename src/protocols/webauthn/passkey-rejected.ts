/** A passkey, or what a browser sent for it, is not accepted. The message is a sentence for people. */
export class PasskeyRejectedError extends Error {
  override readonly name = "PasskeyRejectedError";
}

/** What the library rejects, by the words of its messages: it has no codes for them. */
const REASONS = [
  [
    /user verification (?:was )?required/i,
    "The passkey was used without a fingerprint, face or PIN, which is required.",
  ],
  [/counter value/i, "This passkey may have been copied: its counter did not rise. Remove it, and add a new one."],
  [/response origin/i, "The passkey was used on another site. Use it on this service's own page."],
  [/rp id/i, "The passkey was made for another site."],
  [/response type/i, "This is the response to another request: one adds a passkey, the other signs in."],
] as const;
const ANY_REASON = "The browser's response is not what Web Authentication demands. Try again.";

/** Runs a check of the library, whose errors become sentences. @throws PasskeyRejectedError */
export async function rejectedAs<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    const text = error instanceof Error ? `${error.name} ${error.message}` : "";
    const [, reason] = REASONS.find(([words]) => words.test(text)) ?? [undefined, ANY_REASON];
    throw new PasskeyRejectedError(reason, { cause: error });
  }
}
