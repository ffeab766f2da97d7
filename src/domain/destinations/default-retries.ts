/** The second attempt follows this many seconds after the first, and there is no third one. */
const RETRY_DELAYS = [5];
/** For questions and mails to people: servers are away for a while, and reject unknown senders at first. */
export const PATIENT_RETRY_DELAYS = [5, 60, 300, 1_800, 7_200];

/** The retries of a route that chooses none, by its kind. */
export function defaultRetries(kind: string): readonly number[] {
  return kind === "people" ? PATIENT_RETRY_DELAYS : RETRY_DELAYS;
}
