/** Where a message in a channel goes. */
export interface ChannelPlace {
  /** The vendor's id of the channel or chat. */
  readonly channel: string;
  /** The thread, topic or message that it belongs to; null for none. */
  readonly thread: string | null;
}

/** A file of a message, as the vendor describes it. */
export interface ChannelFile {
  /** Where the vendor has it: an id, or a URL. */
  readonly at: string;
  readonly name: string;
  /** The media type that the vendor names; empty for none. */
  readonly type: string;
  /** In bytes; 0 when the vendor does not say. */
  readonly size: number;
}

/** What is said in a channel that no run says. */
export const SAID = {
  refused: "Sorry, you are not on the list of people who may talk to me here.",
  limited: "You write faster than I may answer. Please try again in a minute.",
  paused: "This agent is switched off here.",
  agentDeleted: "The agent of this channel was deleted. Nobody can answer here.",
  started: (agent: string) => `Hello, I am ${agent}. Write to me. /new begins a new conversation.`,
  begun: "A new conversation begins with your next message.",
  empty: "I can read texts and files only.",
  waits: "Please answer the question above first. I read your message after that.",
  asks: "I have a question:",
  thinks: "…",
  cancelled: "The run was cancelled.",
  workspacePaused: "This workspace is paused. I answer when it continues.",
  failed: (reason: string) => `That did not work. ${reason}`,
  notTaken: (reason: string) => `I could not take your message. ${reason}`,
  lost: (name: string, reason: string) => `The file ${name} could not be sent: ${reason}`,
  nothing: "Done.",
} as const;
