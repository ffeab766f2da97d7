import { z } from "zod";
import type { WorkspaceDatabase } from "#db/database.ts";
import type { ChannelReply } from "#db/queries/destinations/channel-replies.ts";
import { findAttempt, readEvents, readStreamHead } from "#db/queries/streams/task-events.ts";
import type { Reading } from "./reply-memory.ts";

const PAGE = 500;

const event = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("TEXT_MESSAGE_START") }),
  z.looseObject({ type: z.literal("TEXT_MESSAGE_CONTENT"), delta: z.string() }),
  z.looseObject({ type: z.literal("TOOL_CALL_START"), toolCallName: z.string() }),
  z.looseObject({ type: z.literal("TOOL_CALL_RESULT") }),
  z.looseObject({ type: z.literal("INTERACTION_REQUEST"), interactionId: z.string() }),
]);

/** What an agent has said in a part of its answer. */
export interface Said {
  /** Its newest text. */
  readonly text: string;
  /** The tool that it uses. */
  readonly tool: string | undefined;
  /** Whether a question has ended the part. */
  readonly hasAsked: boolean;
}

/** Reads on in the log of the run that answers, from where the last reading ended. */
export async function readSaid(
  workspace: WorkspaceDatabase,
  reading: Reading,
  turn: { readonly taskId: string; readonly attempt: number; readonly reply: Pick<ChannelReply, "segment"> },
): Promise<Said> {
  const { taskId: logId, attempt } = turn;
  const head = await readStreamHead(workspace, logId);
  const range = head?.attempt === attempt ? head : await findAttempt(workspace, { logId, attempt });
  let hasAsked = reading.questions.size >= turn.reply.segment;
  reading.after ??= (range?.first_seq ?? 1) - 1;
  while (range !== undefined && !hasAsked && reading.after < range.last_seq) {
    const page = await readEvents(workspace, { logId, after: reading.after, limit: PAGE });
    for (const { seq, text } of page) {
      if (hasAsked || seq > range.last_seq) break;
      reading.after = seq;
      const { data } = event.safeParse(JSON.parse(text));
      if (data !== undefined) take(reading, data, turn.reply.segment);
      hasAsked = reading.questions.size >= turn.reply.segment;
    }
    if (page.length === 0) break;
  }
  return { text: reading.text, tool: reading.tool, hasAsked };
}

function take(reading: Reading, one: z.output<typeof event>, segment: number): void {
  switch (one.type) {
    case "TEXT_MESSAGE_START":
      reading.text = "";
      break;
    case "TEXT_MESSAGE_CONTENT":
      reading.text += one.delta;
      reading.tool = undefined;
      break;
    case "TOOL_CALL_START":
      reading.tool = one.toolCallName;
      break;
    case "TOOL_CALL_RESULT":
      reading.tool = undefined;
      break;
    case "INTERACTION_REQUEST":
      reading.questions.add(one.interactionId);
      if (reading.questions.size < segment) [reading.text, reading.tool] = ["", undefined];
      break;
  }
}
