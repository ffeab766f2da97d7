/** A button under a message: one that comes back, or a link. */
export interface ShownButton {
  readonly label: string;
  readonly code?: string;
  readonly url?: string;
}

/** A message as people see it now. */
export interface ShownMessage {
  readonly id: string;
  readonly text: string;
  readonly buttons: readonly ShownButton[];
  readonly edits: number;
}

/** Somebody at a vendor. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

/** Where a vendor calls. */
export interface Called {
  readonly url: string;
  readonly routeId: string;
}

/** A call to make: by whom, and whether it is honest. */
export interface CallOptions {
  readonly person: Person;
  /** Signs with another secret. */
  readonly isForged?: boolean;
  /** The Unix seconds of the signature. */
  readonly signedAt?: number;
}

/** What came of a call. */
export interface CallResult {
  readonly status: number;
  /** What only the person sees. */
  readonly notice: string | undefined;
}

/** A strict fake of a vendor with a channel: it rejects what the vendor documents as an error. */
export interface FakeChannel {
  readonly type: "slack" | "telegram" | "discord";
  readonly env: Readonly<Record<string, string>>;
  /** The configuration of a route that takes presses. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The messages in the channel, oldest first. */
  messages(): readonly ShownMessage[];
  /** Deletes a message, as anybody in the channel may: it cannot be edited any more. */
  remove(id: string): void;
  /** Requests that it rejected. */
  readonly faults: readonly string[];
  /** Presses a button. */
  press(to: Called, code: string, options: CallOptions): Promise<CallResult>;
  /** Answers with a text: in the modal that a press opens, or by a reply. */
  write(to: Called, message: ShownMessage, text: string, options: CallOptions): Promise<CallResult>;
  close(): Promise<void>;
}

/** The code of a button. */
export function codeOf(message: ShownMessage, label: string): string {
  const code = message.buttons.find((one) => one.label === label)?.code;
  if (code === undefined) throw new Error(`The message has no button ${label}: ${JSON.stringify(message.buttons)}`);
  return code;
}

/** The current Unix seconds. */
export function unixSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
