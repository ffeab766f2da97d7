import { z } from "zod";
import { clearSuspicion } from "#db/queries/queue/jobs.ts";
import { readLogSize, readOpenParts } from "#db/queries/streams/task-events.ts";
import { readLastOutcome } from "#db/queries/tasks/run-steps.ts";
import { retryOutage } from "#db/retry-outage.ts";
import type { ExecutionOutcome } from "#domain/runs/execution-outcome.ts";
import { storableJson } from "#domain/storable.ts";
import { closeParts } from "#domain/streams/stream-event.ts";
import { createLogSize } from "./log-size.ts";
import { openJournal } from "./step-journal.ts";
import type { StepResult } from "./step-journal.ts";
import type { EngineServices, Run, Unstamped } from "./run-context.ts";
import type { OwnedJob } from "../queue/lease.ts";
import { MAX_SUSPICION } from "../queue/trials.ts";
import { RunFailure } from "./run-failure.ts";

const recordedAnswer = z.record(z.string(), z.unknown());

/** What an execution of a run's attempt can do: write to its log and do its steps. */
export interface Execution extends Pick<Run, "emit" | "step" | "answerTo"> {
  /** What a step of this key gave in an earlier execution; undefined when it was not finished then. */
  recall<T>(key: string, schema: z.ZodType<T>): T | undefined;
  /**
   * Call it when all steps are done, before the execution's end is made: what fails from here on counts as a death in a
   * step does, or an end that cannot be made would be tried forever.
   * @throws RunFailure `CRASH_LOOP` when it has failed too often.
   */
  beginEnd(): Promise<void>;
  /** Waits until all that was emitted and all steps are stored. @throws OwnershipLost when they are rejected */
  stored(): Promise<void>;
}

/** How an execution begins. */
export interface Beginning {
  /** Whether the attempt's log was empty: nothing was done before. */
  readonly isFresh: boolean;
}

/**
 * Opens an execution of an attempt that it owns, with what earlier executions have finished.
 * @param key the id of the run's log, which is the task's or the team run's, and its owner
 */
export async function openExecution(engine: EngineServices, key: OwnedJob, beginning: Beginning): Promise<Execution> {
  const journal = await openJournal(engine, key, beginning);
  let live: Promise<void> | undefined;
  let isCleared = false;
  let last: Promise<void> | undefined;
  /** What was emitted is stored. */
  let emitted: Promise<unknown> = Promise.resolve();
  const { subjectId } = key;
  const written = beginning.isFresh
    ? { events: 0, bytes: 0 }
    : await retryOutage(() => readLogSize(engine.db, subjectId));
  const size = createLogSize(engine.limits, written);

  /** Before the first thing that is done for real; what is done beside it waits for it as well. */
  async function begin(): Promise<void> {
    if (!beginning.isFresh) await (live ??= repairInterrupted());
  }

  /** Deals with what an interrupted execution left behind. */
  async function repairInterrupted(): Promise<void> {
    if (key.suspicion >= MAX_SUSPICION) {
      throw new RunFailure(
        "CRASH_LOOP",
        `crash_loop: the process died ${key.crashCount} times in the same step of this run.`,
      );
    }
    // Not every call that was in progress need be made again, and this run would wait for what it has reserved itself.
    await engine.budgets.chargeOf(key);
    // Its words are lost with the call that wrote them; the call made again writes another message. One that a finished
    // step has written is ended where that step is replayed, which may be beside this one.
    const open = await retryOutage(() => readOpenParts(engine.db, subjectId));
    const messages = open.filter(({ kind, id }) => kind === "message" && !journal.mentions(id));
    for (const event of closeParts(messages, "", new Date())) {
      await engine.writer.append({ subjectId, owner: key, text: storableJson(event) });
    }
  }

  /** Records a step, behind the events that it has emitted. */
  async function store(stepKey: string, result: StepResult<unknown>, startedAt: number): Promise<void> {
    const recorded = journal.record(stepKey, result, { startedAt, endedAt: Date.now() });
    await Promise.all([emitted, recorded]);
    await passSuspicion();
  }

  /** A step that has been passed clears the job of what was suspected. */
  async function passSuspicion(): Promise<void> {
    if (key.suspicion === 0 || isCleared) return;
    isCleared = true;
    await retryOutage(() => clearSuspicion(engine.db, key));
    engine.trials.end(key.jobId, true);
  }

  async function emit(event: Unstamped | (() => Unstamped), eventKey?: string): Promise<void> {
    size.check();
    const appended = engine.writer.append({
      subjectId,
      owner: key,
      text: typeof event === "function" ? () => size.add(asText(event())) : size.add(asText(event)),
      ...(eventKey !== undefined && { key: eventKey }),
    });
    emitted = Promise.all([emitted, appended]);
    emitted.catch(() => undefined);
    await appended;
  }

  if (!beginning.isFresh) {
    const before = await retryOutage(() => readLastOutcome(engine.db, key));
    // It goes with what is written next; whoever lost the job learns that from its steps.
    if (before !== undefined) emit(() => resumption(before, journal.newestKey)).catch(() => undefined);
  }

  return {
    emit,
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
      return engine.runs.step(async () => {
        await begin();
        const startedAt = Date.now();
        const result = await body();
        const recorded = store(stepKey, result, startedAt);
        if (result.isLast === true) engine.runs.hold((last = recorded));
        else await recorded;
        return result.value;
      });
    },
  };
}

const REASONS = { finished: "crash", lost: "crash", handed_over: "handover", waiting: "answer" } as const;

/** Tells readers of the stream why another execution continues, and behind which step. */
function resumption(before: ExecutionOutcome, fromStep: string | undefined): Unstamped {
  return { type: "CUSTOM", name: "run_resumed", value: { reason: REASONS[before], from_step: fromStep ?? null } };
}

function asText(event: Unstamped): string {
  return storableJson({ ...event, timestamp: Date.now() });
}
