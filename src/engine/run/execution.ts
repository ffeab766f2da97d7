import { z } from "zod";
import { MAX_SUSPICION } from "#db/queries/queue/executors.ts";
import { clearSuspicion } from "#db/queries/queue/jobs.ts";
import { readLogSize, readOpenParts } from "#db/queries/streams/task-events.ts";
import { readAttemptUsage } from "#db/queries/budgets/attempt-usage.ts";
import { readLastExecution } from "#db/queries/runs/run-steps.ts";
import type { ExecutionOutcome } from "#domain/runs/execution-outcome.ts";
import { storableJson } from "#domain/storable.ts";
import { closeParts } from "#domain/streams/stream-event.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { createBacklog } from "./backlog.ts";
import { createUsageTally } from "./usage-tally.ts";
import type { UsageTally } from "./usage-tally.ts";
import { createLogSize } from "./log-size.ts";
import { openJournal } from "./step-journal.ts";
import type { StepResult } from "./step-journal.ts";
import type { EngineServices, Run, UntimedEvent } from "./run-context.ts";
import type { OwnedJob } from "../queue/lease.ts";
import { RunFailure } from "./run-failure.ts";

const recordedAnswer = z.record(z.string(), z.unknown());

/** One execution of a run's attempt: writes its log and does its steps. */
export interface Execution extends Pick<Run, "emit" | "backlog" | "step" | "recall" | "answerTo"> {
  /** The tokens of the attempt so far. */
  readonly usage: UsageTally;
  /**
   * Call it after all steps, before the execution's end is written. A failure after this counts like a crash in a step;
   * otherwise an end that cannot be written would be retried forever.
   * @throws RunFailure `CRASH_LOOP` after too many failures
   */
  beginEnd(): Promise<void>;
  /** Waits until all events and steps are stored. @throws OwnershipLostError when they are rejected */
  stored(): Promise<void>;
}

/** Options of {@link openExecution}. */
export interface ExecutionOptions {
  /** Whether the attempt's log was empty, so no execution did anything before. */
  readonly isFresh: boolean;
}

/**
 * Opens an execution of an attempt that it owns, with the recorded steps of earlier executions.
 * @param key the id of the run's log (the task's or team run's id), and the owner
 */
export async function openExecution(
  engine: EngineServices,
  key: OwnedJob,
  beginning: ExecutionOptions,
): Promise<Execution> {
  const journal = await openJournal(engine, key, beginning);
  let live: Promise<void> | undefined;
  let isCleared = false;
  /** A step that begins now may follow one of this execution, so no earlier execution was in it. */
  let hasStepped = false;
  let last: Promise<void> | undefined;
  /** All events so far are stored. */
  let emitted: Promise<unknown> = Promise.resolve();
  const { subjectId } = key;
  const [written, used] = beginning.isFresh
    ? [{ events: 0, bytes: 0 }, []]
    : await allSettledOrThrow([readLogSize(engine.db, subjectId), readAttemptUsage(engine.db, key)]);
  const usage = createUsageTally(used);
  const size = createLogSize(engine.limits, written);

  /** Before the first step that really runs; concurrent steps wait for it as well. */
  async function begin(): Promise<void> {
    if (!beginning.isFresh) await (live ??= repairInterrupted());
  }

  /** Cleans up after an interrupted execution. */
  async function repairInterrupted(): Promise<void> {
    // A call that was in flight may not be repeated; without this, the run would wait for its own reservations.
    await engine.budgets.chargeOf(key);
    if (key.suspicion >= MAX_SUSPICION) {
      throw new RunFailure(
        "CRASH_LOOP",
        `crash_loop: the process died ${key.crashCount} times in the same step of this run.`,
      );
    }
    // The text of an interrupted call is discarded; the repeated call writes a new message. A message of a finished
    // step is ended when that step is replayed, possibly concurrently.
    const open = await readOpenParts(engine.db, subjectId);
    const words = open.filter(({ kind, id }) => kind !== "tool" && !journal.mentions(id));
    for (const event of closeParts(words, "", new Date())) {
      await engine.writer.append({ subjectId, owner: key, text: storableJson(event) });
    }
  }

  /** Records a step, after the events that it has emitted. */
  async function store(stepKey: string, result: StepResult<unknown>, startedAt: number): Promise<void> {
    const recorded = journal.record(stepKey, result, { startedAt, endedAt: Date.now() });
    await Promise.all([emitted, recorded]);
    await passSuspicion();
  }

  /** A finished step clears the job of suspicion. */
  async function passSuspicion(): Promise<void> {
    if (key.crashCount === 0 || isCleared) return;
    isCleared = true;
    await clearSuspicion(engine.db, key);
    engine.runs.clear(key);
  }

  async function emit(event: UntimedEvent | (() => UntimedEvent), eventKey?: string): Promise<void> {
    size.check();
    // An event whose text is made when it is written must not be later than the events after it.
    const at = Date.now();
    // Once, even if it is written again after a lock or an outage.
    let counted: string | undefined;
    const appended = engine.writer.append({
      subjectId,
      owner: key,
      text:
        typeof event === "function" ? () => (counted ??= size.add(asText(event(), at))) : size.add(asText(event, at)),
      ...(eventKey !== undefined && { key: eventKey }),
    });
    emitted = Promise.all([emitted, appended]);
    emitted.catch(() => undefined);
    await appended;
  }

  // A process that died in its first milliseconds left a log without a start.
  const before = key.fence === 1 ? undefined : await readLastExecution(engine.db, key);
  if (!beginning.isFresh) {
    // Stored with the next write; an execution that has lost the job finds out when it records a step.
    const reason = before && REASONS[before.outcome];
    if (reason !== undefined) emit(() => resumption(reason, journal.newestKey)).catch(() => undefined);
  }

  return {
    emit,
    backlog: createBacklog(),
    usage,
    answerTo: (answerKey) => journal.find(answerKey, recordedAnswer),
    recall: journal.find,
    beginEnd: begin,
    async stored() {
      engine.writer.flush();
      await Promise.all([emitted, last]);
    },
    async step(stepKey, schema, body) {
      const known = journal.find(stepKey, schema);
      if (known !== undefined) return known;
      const lostFence = hasStepped || before?.outcome !== "lost" ? undefined : before.fence;
      return engine.runs.step(async () => {
        await begin();
        const startedAt = Date.now();
        const result = await body(lostFence);
        hasStepped = true;
        if (result.usage !== undefined) usage.add(result.usage);
        const recorded = store(stepKey, result, startedAt);
        if (result.isLast === true) engine.runs.hold((last = recorded));
        else await recorded;
        return result.value;
      });
    },
  };
}

/** After a question, INTERACTION_RESPONSE says that the run continues. */
const REASONS = {
  finished: "crash",
  lost: "crash",
  handed_over: "handover",
  waiting: undefined,
} as const satisfies Record<ExecutionOutcome, string | undefined>;

/** Informs stream readers why another execution continues, and after which step. */
function resumption(reason: "crash" | "handover", fromStep: string | undefined): UntimedEvent {
  return { type: "CUSTOM", name: "run_resumed", value: { reason, from_step: fromStep ?? null } };
}

function asText(event: UntimedEvent, at: number): string {
  return storableJson({ ...event, timestamp: at });
}
