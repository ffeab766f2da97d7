import { AppError } from "#domain/errors.ts";
import type { CallingVendor } from "#domain/people/channel-path.ts";
import { SAID } from "#domain/people/channel-message.ts";
import type { ChannelFile } from "#domain/people/channel-message.ts";
import { findThreadStream } from "#db/queries/tasks/agent-threads.ts";
import { readQuestion } from "#db/queries/runs/questions.ts";
import { noteAnswered, noteTakenUp } from "#db/queries/destinations/channel-messages.ts";
import type { Services } from "../../context.ts";
import { respond } from "../../runs/respond.ts";
import { postMessage } from "../../tasks/post-message.ts";
import { bindWorkspace } from "../../workspace.ts";
import type { Workspace } from "../../workspace.ts";
import { UnreadableFileError, fetchFiles } from "./fetch-files.ts";
import type { OpenRoute } from "./open-route.ts";
import { writerOf } from "./receive-message.ts";

/** A message that an agent has not got yet. */
export interface WaitingMessage {
  readonly id: string;
  /** The thread id of its conversation. */
  readonly conversation: string;
  readonly personId: string;
  readonly personName: string;
  readonly text: string;
  readonly files: readonly ChannelFile[];
}

/**
 * What came of it: the agent has it; it was the answer to a question; it waits for the run that is in progress; or it
 * cannot be taken, which the person is told.
 */
export type TakenUp =
  | { readonly kind: "runs" | "answered" | "waits" }
  | { readonly kind: "waits" | "says"; readonly text: string };

/** What callers can do nothing about is tried again. */
const PASSING: ReadonlySet<string> = new Set(["internal_error", "unavailable", "storage_full"]);

/**
 * Gives a message to the agent of its route, once, however often it is called.
 * @throws the signal's reason; an AppError that passes
 */
export async function takeUp(
  services: Services,
  route: OpenRoute,
  { message, signal }: { readonly message: WaitingMessage; readonly signal: AbortSignal },
): Promise<TakenUp> {
  const { agentId } = route;
  if (!route.isActive) return { kind: "says", text: SAID.paused };
  if (agentId === null) return { kind: "says", text: SAID.agentDeleted };
  const workspace = bindWorkspace(services, writerOf(route));
  try {
    const files = await fetchFiles(services, route, { files: message.files, signal });
    await postMessage(workspace, {
      agentId,
      threadId: message.conversation,
      message: { id: message.id, role: "user", content: contentOf(message) },
      files,
      accept: async (tx, { taskId, effect }) => {
        await noteTakenUp(tx, { id: message.id, taskId, further: effect === "continuation" ? 1 : 0 });
        return true;
      },
    });
    return { kind: "runs" };
  } catch (error) {
    if (error instanceof UnreadableFileError) return { kind: "says", text: SAID.notTaken(error.message) };
    if (!(error instanceof AppError) || PASSING.has(error.code)) throw error;
    if (error.code === "conflict") return whileBusy(workspace, { agentId, route, message });
    return { kind: "says", text: error.code === "not_found" ? SAID.agentDeleted : SAID.notTaken(error.message) };
  }
}

/** A message without a text is about its files. */
function contentOf({ text, files }: WaitingMessage): string {
  return text === "" ? files.map(({ name }) => name).join(", ") : text;
}

interface Busy {
  readonly agentId: string;
  readonly route: OpenRoute;
  readonly message: WaitingMessage;
}

/** The run has not ended: a message answers its question for a text, or waits. */
async function whileBusy(workspace: Workspace, { agentId, route, message }: Busy): Promise<TakenUp> {
  const run = await findThreadStream(workspace, { agentId, threadId: message.conversation });
  if (run === undefined || run.first_seq === null || run.openQuestion === null) return { kind: "waits" };
  if (run.openQuestion !== "text_input" || message.text === "") return { kind: "waits", text: SAID.waits };
  const question = await workspace.transaction((tx) => readQuestion(tx, run.taskId));
  if (question === undefined) return { kind: "waits" };
  try {
    await respond(workspace, {
      subjectId: run.taskId,
      interactionId: question.interactionId,
      body: { text: message.text },
      via: vendorOf(route),
      linkName: message.personName,
      vendorId: message.personId,
      accept: async (tx) => {
        await noteAnswered(tx, message.id);
        return true;
      },
    });
    return { kind: "answered" };
  } catch (error) {
    if (!(error instanceof AppError) || PASSING.has(error.code)) throw error;
    // Somebody else was first: the message is for the run's next turn.
    return error.code === "conflict" ? { kind: "waits" } : { kind: "says", text: SAID.notTaken(error.message) };
  }
}

function vendorOf({ type }: OpenRoute): CallingVendor {
  return type === "slack" ? "slack" : "telegram";
}
