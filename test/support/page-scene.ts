import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { fieldsOf, send } from "./api.ts";
import type { Answer, Api } from "./api.ts";

const frame = z.looseObject({ type: z.string() });

/** An event that a visitor received. */
export interface SeenEvent {
  readonly id: string;
  readonly event: z.output<typeof frame>;
}

/** What a visitor received of a conversation, as far as it was read. */
export interface Seen {
  readonly status: number;
  readonly raw: string;
  readonly events: readonly SeenEvent[];
  /** The text that the agent said. */
  readonly text: string;
}

/** A visitor's browser at a page. */
export interface Visitor {
  readonly token: string;
  /** Sends a request of AG-UI, and reads the stream to its end, or until this is true of its events. */
  ask(body: Readonly<Record<string, unknown>>, read?: Reading): Promise<Seen>;
  /** Sends a text as a new message. */
  say(text: string, thread?: string, read?: Reading): Promise<Seen>;
  stop(thread: string): Promise<Answer>;
}

/** How to read a stream. */
export interface Reading {
  readonly lastEventId?: string;
  readonly until?: (events: readonly SeenEvent[]) => boolean;
}

/** Makes the page of an agent with a free slug, switched on. */
export async function createPage(desk: Api, agentId: string, fields: Readonly<Record<string, unknown>> = {}) {
  const slug = `page-${newId()}`;
  const made = await desk.post("/pages", { agent_id: agentId, slug, title: "Ask us", is_on: true, ...fields });
  if (made.status !== 201) throw new Error(`The page was rejected: ${made.text}`);
  return { id: String(fieldsOf(made)["id"]), slug };
}

/** Opens a page as a new visitor. */
export async function openPage(url: string, slug: string, body: object = {}): Promise<Visitor> {
  const opened = await send("POST", `${url}/p/${slug}/open`, { body });
  const { token } = z.looseObject({ token: z.string() }).parse(opened.body);
  return visitorWith(url, slug, token);
}

/** A visitor with a known token. */
export function visitorWith(url: string, slug: string, token: string): Visitor {
  const headers = { authorization: `Bearer ${token}` };
  const ask: Visitor["ask"] = async (body, { lastEventId, until = () => false } = {}) => {
    const leaving = new AbortController();
    const response = await fetch(`${url}/p/${slug}/sse`, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
      },
      body: JSON.stringify({ messages: [], ...body }),
      signal: leaving.signal,
    });
    let raw = "";
    const decoder = new TextDecoder();
    if (response.body !== null) {
      for await (const bytes of response.body) {
        raw += decoder.decode(bytes, { stream: true });
        if (response.status === 200 && until(eventsIn(raw))) break;
      }
    }
    leaving.abort();
    const events = response.status === 200 ? eventsIn(raw) : [];
    return { status: response.status, raw, events, text: textOf(events) };
  };
  return {
    token,
    ask,
    say: (text, threadId = newId(), read = {}) =>
      ask({ threadId, messages: [{ id: newId(), role: "user", content: text }] }, read),
    stop: (threadId) => send("POST", `${url}/p/${slug}/stop`, { headers, body: { threadId } }),
  };
}

/** The text of messages in events. */
export function textOf(events: readonly SeenEvent[]): string {
  return events
    .flatMap(({ event }) => (event.type === "TEXT_MESSAGE_CONTENT" ? [String(event["delta"])] : []))
    .join("");
}

/** The types of events, in order. */
export function typesOf({ events }: Pick<Seen, "events">): readonly string[] {
  return events.map(({ event }) => event.type);
}

function eventsIn(raw: string): SeenEvent[] {
  return raw
    .split("\n\n")
    .slice(0, -1)
    .flatMap((part) => {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      const id = /^id: (.*)$/m.exec(part)?.[1] ?? "";
      return data === undefined ? [] : [{ id, event: frame.parse(JSON.parse(data)) }];
    });
}
