import { createParser } from "eventsource-parser";
import type { components } from "#client/gen/schema.ts";
import { callAuth } from "../accounts/auth.ts";
import { Problem, asProblem, problemOf } from "../../api/problem.ts";
import type { VisitEvent } from "./records.ts";

/** The answer to opening a page. */
type Opened = components["schemas"]["OpenAgentPageResponse"];

/** A little more than twice the service's heartbeat: a connection that is silent for this long is dead. */
const MAX_SILENCE_MS = 35_000;

/** Opens a page, as the visitor of an earlier token if there is one. @throws Problem */
export function openPage(slug: string, body: { readonly visitor?: string; readonly code?: string }): Promise<Opened> {
  return callAuth<Opened>("POST", `/p/${encodeURIComponent(slug)}/open`, body);
}

/** A request about a conversation. */
export interface VisitRequest {
  readonly slug: string;
  readonly token: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The id of the last event that is known. */
  readonly seen?: string | undefined;
  readonly signal: AbortSignal;
}

/** Stops the answer of a conversation. @throws Problem */
export async function stopAnswer({
  slug,
  token,
  threadId,
}: {
  slug: string;
  token: string;
  threadId: string;
}): Promise<void> {
  const response = await post(`/p/${encodeURIComponent(slug)}/stop`, token, { threadId });
  if (!response.ok) throw await problemOf(response);
}

/**
 * Reads one connection to a conversation until it ends. Returns whether the answer is over; false when the connection
 * broke before.
 * @throws Problem for what the service refuses
 */
export async function readAnswer(
  { slug, token, body, seen, signal }: VisitRequest,
  onEvent: (id: string, event: VisitEvent) => void,
): Promise<boolean> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), MAX_SILENCE_MS);
  let isOver = false;
  const parser = createParser({
    onEvent({ id = "", data }) {
      const event: VisitEvent = JSON.parse(data);
      isOver ||= event.type === "RUN_FINISHED" || event.type === "RUN_ERROR";
      onEvent(id, event);
    },
  });
  try {
    const headers: Record<string, string> = seen === undefined ? {} : { "Last-Event-ID": seen };
    const together = AbortSignal.any([signal, silence.signal]);
    const response = await post(`/p/${encodeURIComponent(slug)}/sse`, token, body, { headers, signal: together });
    if (response.status === 204) return true;
    if (!response.ok || response.body === null) throw await problemOf(response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return isOver;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), MAX_SILENCE_MS);
      parser.feed(value);
    }
  } catch (error) {
    if (error instanceof Problem && error.status !== 0) throw error;
    return isOver;
  } finally {
    clearTimeout(timer);
  }
}

function post(
  path: string,
  token: string,
  body: object,
  {
    headers = {},
    ...init
  }: { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}`, ...headers },
    ...init,
  }).catch((error: unknown) => {
    throw asProblem(error);
  });
}
