import { createHash } from "node:crypto";
import { z } from "zod";
import type { RemoteProgress } from "#protocols/a2a/remote/remote-progress.ts";

const remoteQuestion = z.object({
  /** The id of its message; null when the agent gives none. */
  messageId: z.string().nullable(),
  /** A hash of its text. */
  content: z.string(),
});

/** What tells a question of a remote agent from its other questions. */
export type RemoteQuestion = z.output<typeof remoteQuestion>;

/** Returns what a remote agent says to people in its current state. */
export function sayingOf({ text, statusText }: RemoteProgress): string {
  return statusText === "" ? text : statusText;
}

/** Returns the question of a remote agent that needs input. */
export function questionOf(progress: RemoteProgress): RemoteQuestion {
  const content = createHash("sha256").update(sayingOf(progress)).digest("base64url");
  return { messageId: progress.statusId ?? null, content };
}

/** Parses a question that was stored as JSON. */
export function storedQuestion(json: string): RemoteQuestion {
  return remoteQuestion.parse(JSON.parse(json));
}
