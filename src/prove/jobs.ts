import { setTimeout as sleep } from "node:timers/promises";
import { MusterError } from "#client/index.ts";
import type { MusterClient } from "#client/index.ts";
import type { Dice } from "#lib/dice.ts";
import { newId } from "#lib/ids.ts";
import { QUESTION, WORK_KINDS } from "./vendor/conversation.ts";
import type { Assignee, ProofWorkspace } from "./workspace.ts";

const MAX_REPEATS = 3;
const MAX_ANSWERS = 3;
const POLL_MS = 100;
/** A question that was answered before; a request with the same `Idempotency-Key` that is still being answered. */
const CONFLICT = 409;
const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** A piece of work as its client sees it, filled in while it is done. */
export interface Job {
  readonly title: string;
  /** How many requests for it were sent besides the first. */
  readonly repeats: number;
  /** The ids that the requests for it were answered with: one, if all is well. */
  readonly ids: Set<string>;
  /** Where its events are read; undefined when no request was answered. */
  stream: RunStream | undefined;
  /** The ids of the events in the order in which a reader got them, across all its connections. */
  readonly received: string[];
  /** The answers to its question that the service accepted. */
  readonly accepted: string[];
  end: { readonly status: string; readonly error: string | null };
}

/** Under which name the events of a job are read. */
export type RunStream = { readonly agentId: string; readonly taskId: string } | { readonly runId: string };

/** Where jobs are done. */
export interface JobScene {
  readonly muster: MusterClient;
  readonly workspace: ProofWorkspace;
  /** Fires when work that has not ended is no longer waited for. */
  readonly givenUp: AbortSignal;
}

/** Gives work, several times with one `Idempotency-Key`; reads its stream, answers its question, and waits for its end. */
export async function doJob(scene: JobScene, number: number, dice: Dice): Promise<Job> {
  const kind = dice.pick(WORK_KINDS);
  const title = `${number} ${kind}`;
  const end = { status: "not over", error: null };
  const job: Job = {
    title,
    repeats: dice.whole(0, MAX_REPEATS),
    ids: new Set(),
    stream: undefined,
    received: [],
    accepted: [],
    end,
  };
  try {
    const [{ id: taskId, team_run_id: runId }] = await give(scene, job, scene.workspace.assignees[kind]);
    job.stream = runId === null ? { agentId: scene.workspace.agentId, taskId } : { runId };
    await Promise.all([
      watch(scene, taskId, { job, answers: dice.whole(1, MAX_ANSWERS) }),
      readStream(scene, job.stream, job.received),
    ]);
  } catch (error) {
    job.end = { ...job.end, error: String(error) };
  }
  return job;
}

/** Reads the events of a job from the first to the last, and adds their ids to `received`. */
export async function readStream({ muster, givenUp }: JobScene, stream: RunStream, received: string[]): Promise<void> {
  const open = (lastEventId?: string) => {
    const options = { signal: givenUp, ...(lastEventId !== undefined && { lastEventId }) };
    return "runId" in stream ? muster.streamTeamRun(stream, options) : muster.streamTask(stream, options);
  };
  await untilAnswered(givenUp, async () => {
    for await (const { id } of open(received.at(-1))) received.push(id);
  });
}

type TaskRecord = Awaited<ReturnType<MusterClient["createTask"]>>;

/** Sends the same request several times at once. @returns what each was answered with */
async function give(scene: JobScene, job: Job, assignee: Assignee): Promise<readonly [TaskRecord, ...TaskRecord[]]> {
  const { muster, givenUp: signal } = scene;
  const idempotencyKey = newId();
  const one = async () => {
    const create = () => muster.createTask({ title: job.title, ...assignee }, { idempotencyKey, signal });
    const task = await untilAnswered(signal, create);
    job.ids.add(task.id);
    return task;
  };
  const [first, ...others] = await Promise.all([one(), ...Array.from({ length: job.repeats }, one)]);
  return [first, ...others];
}

interface Watched {
  readonly job: Job;
  /** How many people answer its question at the same time, each with a text of its own. */
  readonly answers: number;
}

/** Looks after a task until it has ended, and has each of its questions answered. */
async function watch({ muster, givenUp: signal }: JobScene, id: string, { job, answers }: Watched): Promise<void> {
  for (;;) {
    const { status, error, interaction } = await untilAnswered(signal, () => muster.getTask({ id }, { signal }));
    job.end = { status, error };
    if (ENDED.has(status)) return;
    if (interaction !== null) {
      const texts = Array.from({ length: answers }, () => `${QUESTION} ${newId()}`);
      const answer = (text: string) =>
        muster.answerTask({ id }, { interactionId: interaction.interactionId, text }, { signal });
      const taken = await Promise.all(texts.map((text) => untilAnswered(signal, () => unlessAnswered(answer(text)))));
      job.accepted.push(...texts.filter((_, index) => taken[index]));
    }
    await sleep(POLL_MS);
  }
}

/** Whether an answer was accepted; false when another one was before. @throws any other failure */
async function unlessAnswered(answer: Promise<unknown>): Promise<boolean> {
  return answer.then(
    () => true,
    (error: unknown) => {
      if (error instanceof MusterError && error.status === CONFLICT) return false;
      throw error;
    },
  );
}

/** Sends a request, which must be safe to repeat, until it is answered. @throws a rejection; the signal's reason */
async function untilAnswered<T>(givenUp: AbortSignal, request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      givenUp.throwIfAborted();
      const mayHelp = error instanceof MusterError && (error.isTransient || error.status === CONFLICT);
      if (!mayHelp) throw error;
      await sleep(POLL_MS);
    }
  }
}
