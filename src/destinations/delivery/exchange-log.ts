/** The requests and responses of an attempt so far, including secrets. */
export interface ExchangeLog {
  readonly requests: string[];
  readonly responses: string[];
  /** The status of the last response; null without one. */
  httpCode: number | null;
}

/** Creates an empty log. */
export function createExchangeLog(): ExchangeLog {
  return { requests: [], responses: [], httpCode: null };
}
