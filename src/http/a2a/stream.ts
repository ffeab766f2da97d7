import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { mapAsync } from "#lib/async/map-async.ts";
import type { SseMessage } from "#lib/http/sse.ts";
import { getConversationTask } from "#operations/conversations/a2a/read-tasks.ts";
import type { MessageReceipt } from "#operations/conversations/a2a/send-message.ts";
import { isOpenIn, isQuestion } from "#operations/conversations/a2a/wait-for-task.ts";
import { openNewStream, openStream } from "#operations/streams/open-stream.ts";
import type { BearerCaller } from "../bearer-caller.ts";
import type { HttpContext, HttpWorkspace } from "../context.ts";
import { respondEvents } from "../streams/respond-events.ts";
import type { Dialect, Update } from "#protocols/a2a/dialect.ts";
import type { Envelope } from "./call.ts";
import { createTranslator } from "#protocols/a2a/translate-events.ts";
import { STATE_OF, TERMINAL, viewTask } from "#protocols/a2a/view.ts";
import type { TaskIds, ViewOptions } from "#protocols/a2a/view.ts";
import type { ConversationTask } from "#domain/tasks/conversation-task.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";

/** The id while no event was sent. */
const SNAPSHOT_ID = "0";

/** The task of a stream, and its reader. */
export interface StreamRequest {
  readonly caller: BearerCaller;
  readonly accepted: MessageReceipt;
  /** The task as it is now; undefined: it is read when its stream is open. */
  readonly task?: ConversationTask;
  readonly dialect: Dialect;
  readonly envelope: Envelope;
  readonly view: Omit<ViewOptions, "artifacts">;
  /** Whether it ends when the task needs input, or only with the task. */
  readonly endsWith: "question" | "task";
}

/**
 * Responds with a task as server-sent events: its current state, then the changes of its current attempt from the event
 * log, each in a JSON-RPC result. After a `Last-Event-ID`, sends only later events. The stream also ends with the
 * client, its credential, or the service.
 * @throws AppError `bad_request` for a `Last-Event-ID` of another stream; `not_found`; `rate_limit_exceeded` as  
 * {@link OpenStreams.admit}.
 */
export async function respondTaskStream(
  workspace: HttpWorkspace,
  c: HttpContext,
  request: StreamRequest,
): Promise<Response> {
  const { caller, accepted } = request;
  const after = lastEventId(c);
  const { agentId, taskId, lastSeen, isNew = false } = accepted;
  // A message is accepted by now, so its stream is not rejected.
  const hasSeen = request.endsWith === "task" ? after?.seq : undefined;
  return respondEvents(workspace, c, {
    caller,
    async open(signal) {
      const reading = { agentId, threadId: taskId, lastSeen, hasSeen, signal };
      const events = isNew
        ? openNewStream(workspace, { taskId, signal })
        : ((await openStream(workspace, reading)) ?? ReadableStream.from([]));
      const task = request.task ?? (await getConversationTask(workspace, accepted));
      const ids = { taskId: task.id, contextId: task.context_id };
      return asMessages(request, { task, after, updates: updatesOf(workspace, request, { ids, events }) });
    },
  });
}

/** The task's state, then its changes after a position, each as a JSON-RPC result. */
function asMessages(
  { dialect, envelope, view }: StreamRequest,
  { task, after, updates: batches }: StreamContent,
): AsyncIterable<readonly SseMessage[]> {
  const message = (id: string, result: object) => ({ id, data: JSON.stringify(envelope(result)) });
  // Some clients stop reading at an ended task, so it comes with its result, although its changes follow. A client that
  // resumes has a part of the result, and would append the rest to the whole.
  const artifacts = TERMINAL.has(STATE_OF[task.status]) && after === undefined ? "shown" : "hidden";
  return mapAsync(batches, {
    first: [[message(SNAPSHOT_ID, dialect.sent(viewTask(task, { ...view, artifacts })))]],
    map: ({ updates }) =>
      updates
        .filter(({ id }) => after === undefined || isAfter(id, after))
        .map(({ id, update }) => message(`${id.seq}.${id.part}`, dialect.update(update))),
  });
}

interface StreamContent {
  readonly task: ConversationTask;
  readonly after: UpdateId | undefined;
  readonly updates: AsyncIterable<Updates>;
}

/** The position of an update: an event of the log, and a part of it. */
interface UpdateId {
  readonly seq: number;
  readonly part: number;
}

interface NumberedUpdate {
  readonly id: UpdateId;
  readonly update: Update;
}

/** The changes that a batch of events brings, and whether the stream ends with them. */
interface Updates {
  readonly updates: readonly NumberedUpdate[];
  readonly isOver: boolean;
}

function updatesOf(
  workspace: HttpWorkspace,
  { accepted, view, endsWith }: StreamRequest,
  { ids, events }: { readonly ids: TaskIds; readonly events: AsyncIterable<readonly LoggedEvent[]> },
): AsyncIterable<Updates> {
  const translate = createTranslator(ids);
  return mapAsync(events, {
    async map(batch) {
      const ended = batch.some(({ final }) => final);
      const asked = endsWith === "question" ? batch.findLast(isQuestion) : undefined;
      const now = ended || asked !== undefined ? await currentTask(workspace, accepted) : undefined;
      const isOver = asked !== undefined && now !== undefined && isOpenIn(now, asked);
      const updates = batch.flatMap((event) =>
        translate(event, { task: now, fileUrl: view.fileUrl, isLast: isOver && event === asked }).map(
          (update, part) => ({ id: { seq: event.seq, part }, update }),
        ),
      );
      return { updates, isOver };
    },
    isLast: ({ isOver }) => isOver,
  });
}

/** Undefined if it was deleted. */
async function currentTask(workspace: HttpWorkspace, of: MessageReceipt): Promise<ConversationTask | undefined> {
  return getConversationTask(workspace, of).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  });
}

function isAfter({ seq, part }: UpdateId, after: UpdateId): boolean {
  return seq > after.seq || (seq === after.seq && part > after.part);
}

const eventId = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,4})?$/)
  .transform((text) => text.split(".").map(Number))
  .transform(([seq = 0, part = 0]): UpdateId => ({ seq, part }));

function lastEventId(c: HttpContext): UpdateId | undefined {
  const header = c.req.header("Last-Event-ID") ?? "";
  if (header === "" || header === SNAPSHOT_ID) return undefined;
  const parsed = eventId.safeParse(header);
  if (parsed.success) return parsed.data;
  throw new AppError("bad_request", "Last-Event-ID must be the id of an event of this stream.");
}
