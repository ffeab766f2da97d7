import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { claimTraceExports, recordTraceExport, releaseTraceExports } from "#db/queries/runs/trace-exports.ts";
import type { TraceExport } from "#db/queries/runs/trace-exports.ts";
import type { Observe } from "#domain/observation.ts";
import type { KeyedSpan } from "#domain/traces/run-spans.ts";
import type { Span } from "#domain/traces/span.ts";
import { createPoller } from "#lib/async/poller.ts";
import type { Poller } from "#lib/async/poller.ts";
import type { SendSpans } from "#protocols/otlp/otlp-client.ts";
import { createExportPause } from "./export-pause.ts";
import { readSpans, withContents } from "./read-spans.ts";

const POLL_INTERVAL_MS = 2_000;
/** Attempts claimed at a time, and for how long: then another process may take those of one that died. */
const BATCH = 10;
const CLAIM_MS = 60_000;
/** Spans of a request; with contents they are larger. */
const MAX_SPANS = 256;
const MAX_SPANS_WITH_CONTENTS = 16;
const DAY_MS = 86_400_000;

/** How traces leave the service. */
export interface TraceSettings {
  readonly send: SendSpans;
  /** Whether spans contain prompts, replies and results. */
  readonly hasContents: boolean;
}

/** Dependencies of {@link createTraceExporter}. */
export interface TraceExporterOptions extends TraceSettings {
  readonly db: Database;
  readonly log: Logger;
  readonly observe: Observe;
  /** Older spans are given up: what they are read from is deleted. */
  readonly retentionDays: number;
  /** Aborts a request in progress. */
  readonly closing: AbortSignal;
}

/**
 * Creates the exporter of a process. It reads what runs have recorded, and remembers in the database what a receiver
 * has accepted: a crash loses nothing, several processes share the work, and runs never wait for it. A span that is
 * sent again has the same id.
 */
export function createTraceExporter(options: TraceExporterOptions): Poller<void> {
  const { db, log, observe, closing, hasContents } = options;
  const pause = createExportPause(log);
  const maxAgeMs = options.retentionDays * DAY_MS;

  /** Returns whether the receiver took the spans, or never will. */
  async function send(spans: readonly Span[]): Promise<boolean> {
    const outcome = await options.send(spans, closing);
    const [first] = spans;
    if (outcome.type === "too_large" && first !== undefined && spans.length > 1) {
      const half = Math.ceil(spans.length / 2);
      return (await send(spans.slice(0, half))) && send(spans.slice(half));
    }
    if (outcome.type === "unavailable") {
      observe({ type: "spans_exported", outcome: "delayed", spans: spans.length });
      pause.begin(outcome);
      return false;
    }
    pause.end();
    const rejected = outcome.type === "taken" ? outcome.rejected : spans.length;
    if (rejected > 0) pause.noteRejected(rejected, outcome.type === "taken" ? "it rejected them" : outcome.reason);
    observe({ type: "spans_exported", outcome: "rejected", spans: rejected });
    observe({ type: "spans_exported", outcome: "sent", spans: spans.length - rejected });
    return true;
  }

  async function exportOne(exported: TraceExport): Promise<boolean> {
    const read = exported.ageMs > maxAgeMs ? undefined : await readSpans(db, exported);
    if (exported.ageMs > maxAgeMs) pause.noteLost();
    if (read === undefined) {
      await recordTraceExport(db, exported, "over");
      return true;
    }
    const sent = new Set(exported.sent);
    const left = read.spans.filter(({ key }) => !sent.has(key));
    const size = hasContents ? MAX_SPANS_WITH_CONTENTS : MAX_SPANS;
    for (let start = 0; start < left.length; start += size) {
      const part = left.slice(start, start + size);
      const whole: readonly KeyedSpan[] =
        hasContents && read.log !== undefined ? await withContents(db, exported, read.log, part) : part;
      if (!(await send(whole.map(({ span }) => span)))) {
        await recordTraceExport(db, { ...exported, sent: [...sent] }, "waits");
        return false;
      }
      for (const { key } of part) sent.add(key);
    }
    await recordTraceExport(db, { ...exported, sent: [...sent] }, read.isOver ? "over" : "rests");
    return true;
  }

  /** One that cannot be read must not stop the others; its claim times out, and it is tried again. */
  function skip({ subjectId, workspaceId }: TraceExport, error: unknown): boolean {
    closing.throwIfAborted();
    log.warn({ err: error, subject_id: subjectId, workspace_id: workspaceId }, "could not export a trace");
    return true;
  }

  async function exportAll(claimed: readonly TraceExport[], isStopped: () => boolean): Promise<boolean> {
    for (const [index, one] of claimed.entries()) {
      if (!isStopped() && (await exportOne(one).catch((error: unknown) => skip(one, error)))) continue;
      await releaseTraceExports(db, claimed.slice(index));
      return false;
    }
    return claimed.length === BATCH;
  }

  return createPoller({
    intervalMs: POLL_INTERVAL_MS,
    async run(isStopped) {
      if (pause.isOn()) return;
      for (let hasMore = true; hasMore && !isStopped();) {
        const claimed = await claimTraceExports(db, BATCH, CLAIM_MS);
        observe({ type: "trace_lag", ms: Math.max(0, ...claimed.map(({ ageMs }) => ageMs)) });
        hasMore = await exportAll(claimed, isStopped);
      }
      if (!pause.isOn()) observe({ type: "trace_lag", ms: 0 });
    },
    onError: (error) => {
      if (!closing.aborted) log.warn({ err: error }, "could not export traces");
    },
  });
}
