import { setTimeout as sleep } from "node:timers/promises";

const POLL_INTERVAL_MS = 500;

/** Options of {@link createOutageReport}. */
export interface OutageOptions {
  /** Whether the database answers. */
  readonly isBack: () => Promise<boolean>;
  /** Called once per outage, with the error of the first connection that broke. */
  readonly onLost: (error: Error) => void;
  /** Called once per outage, when the database answers again. */
  readonly onRestored: () => void;
}

/** Reports outages of the database. */
export interface OutageReport {
  /** Call it with the error of each connection that breaks. */
  connectionLost(error: Error): void;
  /** Stops asking for the end of an outage. */
  close(): void;
}

/** In an outage each connection of the pools breaks: reports the first of them, and when the database answers again. */
export function createOutageReport({ isBack, onLost, onRestored }: OutageOptions): OutageReport {
  let isLost = false;
  let isClosed = false;

  async function awaitEnd(): Promise<void> {
    do await sleep(POLL_INTERVAL_MS, undefined, { ref: false });
    while (!isClosed && !(await isBack()));
    if (isClosed) return;
    isLost = false;
    onRestored();
  }

  return {
    connectionLost(error) {
      if (isLost || isClosed) return;
      isLost = true;
      onLost(error);
      void awaitEnd();
    },
    close() {
      isClosed = true;
    },
  };
}
