/** A message of the agent as people see it now. */
export interface SaidMessage {
  readonly id: string;
  readonly channel: string;
  /** The thread or topic, or the message to which it replies. */
  readonly thread: string | null;
  readonly text: string;
  /** Every text that it had. */
  readonly texts: readonly string[];
  readonly buttons: readonly { readonly label: string; readonly code?: string; readonly url?: string }[];
  readonly file?: { readonly name: string; readonly content: string } | undefined;
  readonly edits: number;
  /** When it came, by `performance.now()`. */
  readonly at: number;
}

/** Somebody at a vendor. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

/** Where a vendor calls. */
export interface TalkTo {
  readonly url: string;
  readonly routeId: string;
  /** Signs with another secret. */
  readonly isForged?: boolean;
  /** The Unix seconds of the signature. */
  readonly signedAt?: number;
}

/** How somebody writes. */
export interface Writing {
  readonly person: Person;
  /** In a group, where the message mentions the agent; otherwise directly. */
  readonly isGroup?: boolean;
  /** The message of the agent to which it replies, or the thread. */
  readonly replyTo?: string | undefined;
  readonly file?: object;
  readonly isBot?: boolean;
  /** Somebody of another workspace, in a shared channel. */
  readonly isGuest?: boolean;
}

/** A strict fake of a vendor where people talk to an agent: it rejects what the vendor documents as an error. */
export interface FakeTalk {
  readonly type: "slack" | "telegram";
  readonly env: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, unknown>>;
  /** The list of people that a route has. */
  readonly allowed: readonly string[];
  messages(): readonly SaidMessage[];
  /** Requests that it rejected. */
  readonly faults: readonly string[];
  /** Accepts the next posts, but breaks the connection instead of answering. */
  loseAnswers(count: number): void;
  /** Rejects the next posts and edits because of its rate limit. */
  limit(count: number): void;
  /** Somebody deletes a message of the agent. */
  forget(id: string): void;
  /** Stores a file that somebody sends. */
  addFile(name: string, content: string): object;
  /** A call of the vendor about a new message. */
  compose(text: string, writing: Writing): object;
  /** A call about a press of a button. */
  press(code: string, person: Person): object;
  /** Calls the route. */
  send(to: TalkTo, call: object): Promise<{ readonly status: number; readonly text: string }>;
  close(): Promise<void>;
}
