/** From where a person signs in. */
export interface Client {
  /** Its network address, or a prefix of it that one person cannot leave. */
  readonly address: string;
  readonly userAgent: string | null;
  /** What an earlier sign-in has left in the browser, if anything; see `readDeviceToken`. */
  readonly deviceToken: string | undefined;
}
