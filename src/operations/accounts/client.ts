/** The client from which a person signs in. */
export interface Client {
  /** Its network address, or the prefix that one person's addresses share. */
  readonly address: string;
  readonly userAgent: string | null;
  /** The token that an earlier sign-in left in the browser, if any; see `readDeviceToken`. */
  readonly deviceToken: string | undefined;
}
