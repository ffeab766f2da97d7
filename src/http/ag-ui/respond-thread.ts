import { setImmediate as nextTurn } from "node:timers/promises";
import type { ThreadKey } from "#db/queries/tasks/agent-threads.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";
import { resumeWithResults } from "#operations/conversations/resume-with-results.ts";
import { leaveRun } from "#operations/runs/leave-run.ts";
import { openNewStream, openStream } from "#operations/streams/open-stream.ts";
import { postMessage } from "#operations/tasks/post-message.ts";
import { isNewMessage, openQuestionAt, resumeThread } from "#operations/tasks/resume-thread.ts";
import { asRuns } from "#protocols/ag-ui/interrupts.ts";
import type { ResumedRun } from "#protocols/ag-ui/interrupts.ts";
import type { RunInput } from "#protocols/ag-ui/run-input.ts";
import type { HttpContext, HttpServices, HttpWorkspace, WorkspaceCaller } from "../context.ts";
import { respondStream } from "./respond-stream.ts";

/** The events of a log. */
type Events = AsyncIterable<readonly LoggedEvent[]>;

/** A request in a thread. */
interface ThreadRequest {
  readonly thread: ThreadKey;
  readonly input: RunInput;
}

/** A request in a thread by a caller that may make it. */
interface AdmittedRequest extends ThreadRequest {
  readonly caller: WorkspaceCaller;
  /** What the caller sees of the log; by default all of it. */
  readonly shown?: (events: Events) => Events;
}

/** True for a request that does more than read. */
export function startsWork({ message, resume, results }: RunInput): boolean {
  return message !== undefined || resume !== undefined || results.size > 0;
}

/**
 * Does what a request in a thread asks for (a message, an answer, results), and responds with the events of the run.
 * @throws AppError as the operations do
 */
export async function respondThread(
  services: HttpServices,
  c: HttpContext,
  { caller, thread, input, shown = (events) => events }: AdmittedRequest,
): Promise<Response> {
  const { workspace } = caller;
  const { resume, attempt, interrupts, runId, isStandard, isCurrent, threadId } = input;
  const dialect = { runId, isStandard, isCurrent, ...(threadId !== undefined && { threadId }) };
  let started: string | undefined;
  return respondStream(services, c, {
    caller,
    dialect,
    async open(reading) {
      const steersAway = await leavesQuestion(workspace, { thread, input });
      const resumed = steersAway ? undefined : await continueTask(workspace, { thread, input });
      const posted = steersAway || resume === undefined ? await post(workspace, { thread, input }) : undefined;
      started = posted?.taskId ?? resumed?.taskId;
      const lastSeen = resumed?.seq ?? reading.lastSeen;
      const isNew = posted?.isNew === true && lastSeen === undefined && attempt === undefined;
      const events = isNew
        ? openNewStream(workspace, { taskId: posted.taskId, signal: reading.signal })
        : await openStream(workspace, { ...reading, ...thread, attempt, lastSeen });
      // The run's request to its provider is sent first; then the response starts with the first event.
      if (isNew) await nextTurn();
      if (events === undefined) return undefined;
      if (!isStandard || attempt !== undefined) return shown(events);
      return asRuns(shown(events), { interrupts, resumed, questionAt: (at) => openQuestionAt(workspace, at) });
    },
    onLeave() {
      if (started === undefined) return;
      leaveRun(workspace, started).catch((error: unknown) => {
        services.log.warn({ taskId: started, err: error }, "a run without readers was not cancelled");
      });
    },
  });
}

/** Whether the client cancels the question that it was asked, and sends a new message instead. */
async function leavesQuestion(
  workspace: HttpWorkspace,
  { thread, input: { message, resume } }: ThreadRequest,
): Promise<boolean> {
  if (resume === undefined || resume.body !== undefined || message === undefined) return false;
  return isNewMessage(workspace, { ...thread, message });
}

/** Continues a waiting thread with the client's answer or results, if any. */
async function continueTask(
  workspace: HttpWorkspace,
  { thread, input: { message, resume, results, clientTools } }: ThreadRequest,
): Promise<ResumedRun | undefined> {
  if (resume !== undefined) {
    const at = await resumeThread(workspace, { ...thread, ...resume, message });
    return { ...at, toolCallIds: [] };
  }
  if (results.size === 0) return undefined;
  return resumeWithResults(workspace, { ...thread, results, clientTools });
}

/** Posts the client's message to the thread, if any; with a `resume`, it leaves that question. */
async function post(workspace: HttpWorkspace, { thread, input }: ThreadRequest) {
  const { message, clientTools, resume } = input;
  if (message === undefined) return undefined;
  const { files, ...posted } = message;
  const leaves = resume?.interactionId;
  return postMessage(workspace, { ...thread, message: posted, files, clientTools, leavesQuestion: leaves });
}
