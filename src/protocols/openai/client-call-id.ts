/** A client tool call, as identified to clients that have no thread. */
export interface ClientCallRef {
  readonly taskId: string;
  /** The number of the log event that requests the result. */
  readonly seq: number;
  /** Its index among the calls of that event. */
  readonly index: number;
}

const ID = /^call_([A-Za-z0-9_-]{22})_(\d{1,9})_(\d{1,2})$/;

/**
 * Returns the id of a call in OpenAI's format: at most 40 characters. It contains the run's id, so that any process
 * finds it.
 */
export function clientCallId({ taskId, seq, index }: ClientCallRef): string {
  const id = Buffer.from(taskId.replaceAll("-", ""), "hex").toString("base64url");
  return `call_${id}_${seq}_${index}`;
}

/** Parses the id of a call; undefined for any other id. */
export function parseClientCallId(id: string): ClientCallRef | undefined {
  const [, encoded, seq, index] = ID.exec(id) ?? [];
  if (encoded === undefined) return undefined;
  const hex = Buffer.from(encoded, "base64url").toString("hex");
  const taskId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { taskId, seq: Number(seq), index: Number(index) };
}
