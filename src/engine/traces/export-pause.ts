import type { Logger } from "pino";

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** A receiver may ask for more than that, but not for days. */
const MAX_ASKED_MS = 3_600_000;

/** When an exporter may send, and what the log says of its receiver: each trouble once, not with each try. */
export interface ExportPause {
  /** Whether the receiver is given time. */
  isOn(): boolean;
  /** The receiver could not take spans. */
  begin(why: { readonly reason: string; readonly waitMs: number | undefined }): void;
  /** The receiver has responded. */
  end(): void;
  /** The receiver will never take some spans. */
  noteRejected(spans: number, reason: string): void;
  /** An export came too late: its records are deleted. */
  noteLost(): void;
}

/** Creates the pause of an exporter: twice as long with each failure, or as long as the receiver asks. */
export function createExportPause(log: Logger, now: () => number = () => performance.now()): ExportPause {
  let until = -Infinity;
  let failures = 0;
  let hasWarnedOfRejected = false;
  let hasWarnedOfLost = false;
  return {
    isOn: () => now() < until,
    begin({ reason, waitMs }) {
      if (failures === 0) log.warn({ reason }, "traces wait: the receiver of OTLP takes none");
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
      until = now() + Math.max(pause, Math.min(waitMs ?? 0, MAX_ASKED_MS));
      failures += 1;
    },
    end() {
      if (failures > 0) log.warn("the receiver of OTLP takes traces again");
      failures = 0;
    },
    noteRejected(spans, reason) {
      if (!hasWarnedOfRejected)
        log.warn({ spans, reason }, "the receiver of OTLP rejected spans; they are not sent again");
      hasWarnedOfRejected = true;
    },
    noteLost() {
      if (!hasWarnedOfLost) log.warn("traces waited longer than RETENTION_DAYS: those are not exported");
      hasWarnedOfLost = true;
    },
  };
}
