import type { components } from "#client/gen/schema.ts";
import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";

/** What a page shows to its visitors. */
export type ShownPage = NonNullable<components["schemas"]["ShownAgentPage"]>;

/** What was said in a conversation, in order. */
export type Entry =
  | { readonly kind: "said"; readonly id: string; readonly text: string; readonly files: readonly string[] }
  | { readonly kind: "reply"; readonly id: string; readonly text: string; readonly isOpen: boolean }
  | { readonly kind: "answered"; readonly id: string; readonly question: string; readonly text: string }
  | { readonly kind: "note"; readonly id: string; readonly text: string };

/**
 * A conversation as this browser keeps it. `working`: the agent answers; `waiting`: people of the workspace decide;
 * `asking`: the visitor is asked.
 */
export interface Conversation {
  readonly id: string;
  readonly title: string;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly entries: readonly Entry[];
  /** The id of the last event that came of the answer; absent before the first. */
  readonly seen?: string | undefined;
  readonly state: "idle" | "working" | "waiting" | "asking";
  /** What was sent last, until its first event: it is sent again after a reload, and taken once. */
  readonly sending?: Readonly<Record<string, unknown>> | undefined;
  /** While the visitor is asked. */
  readonly question?: InteractionRequest | undefined;
}

/** An event of AG-UI. */
export interface VisitEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A new conversation. */
export function newConversation(id: string, at: number): Conversation {
  return { id, title: "", at, entries: [], state: "idle" };
}
