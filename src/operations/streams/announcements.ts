import type { LoggedEvent } from "#domain/streams/logged-event.ts";
import type { LogNotification } from "../ports.ts";

/** New events of a log. */
export interface Announcement {
  readonly logId: string;
  readonly arrival: LogNotification;
}

/** PostgreSQL's limit of a notification payload is 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;
/** If the events need more payloads, readers are sent the log's id and read the log instead. */
const MAX_PAYLOADS = 8;

/**
 * Encodes announcements as notification payloads, each as full as possible. Each line has an event and its text; when
 * they are too long, only the log's id.
 */
export function encodeAnnouncements(announcements: readonly Announcement[]): readonly string[] {
  const payloads = packLines(announcements.flatMap(asLines));
  if (payloads.length <= MAX_PAYLOADS) return payloads;
  return packLines([...new Set(announcements.map(({ logId }) => logId))]);
}

/** Decodes the payloads of {@link encodeAnnouncements}. */
export function decodeAnnouncements(payload: string): readonly Announcement[] {
  const logs = new Map<string, LoggedEvent[] | "grown">();
  for (const line of payload.split("\n")) {
    const [logId = "", seq, final, text] = splitLine(line);
    const known = logs.get(logId);
    if (text === undefined || known === "grown") logs.set(logId, "grown");
    else logs.set(logId, [...(known ?? []), { seq: Number(seq), text, final: final === "1" }]);
  }
  return [...logs].map(([logId, arrival]) => ({ logId, arrival }));
}

/** Packs lines into as few payloads as possible, in order. */
export function packLines(lines: readonly string[]): readonly string[] {
  const payloads: string[] = [];
  let payload = "";
  let bytes = 0;
  for (const line of lines) {
    const size = Buffer.byteLength(line) + 1;
    if (bytes > 0 && bytes + size > MAX_PAYLOAD_BYTES) {
      payloads.push(payload);
      bytes = 0;
    }
    payload = bytes === 0 ? line : `${payload}\n${line}`;
    bytes += size;
  }
  return bytes === 0 ? payloads : [...payloads, payload];
}

function asLines({ logId, arrival }: Announcement): readonly string[] {
  if (arrival === "grown") return [logId];
  const lines = arrival.map(({ seq, text, final }) => `${logId} ${seq} ${final ? 1 : 0} ${text}`);
  return lines.some((line) => Buffer.byteLength(line) >= MAX_PAYLOAD_BYTES) ? [logId] : lines;
}

/** The text may contain spaces. */
function splitLine(line: string): readonly string[] {
  const fields = line.split(" ", 3);
  if (fields.length < 3) return fields;
  return [...fields, line.slice(fields.join(" ").length + 1)];
}
