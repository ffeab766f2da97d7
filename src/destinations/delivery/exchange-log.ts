/** What an attempt has sent and received so far, secrets included. */
export interface ExchangeLog {
  readonly requests: string[];
  readonly responses: string[];
  /** The status of the last reply; null when there was none. */
  httpCode: number | null;
}

/** An empty log. */
export function createExchangeLog(): ExchangeLog {
  return { requests: [], responses: [], httpCode: null };
}
