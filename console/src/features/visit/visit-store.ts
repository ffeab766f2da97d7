import { asProblem } from "../../api/problem.ts";
import type { Problem } from "../../api/problem.ts";
import { randomId } from "../../lib/random-id.ts";
import { answerText } from "./answer-text.ts";
import { ended, withEvent } from "./events.ts";
import { openPage, readAnswer, stopAnswer } from "./page-calls.ts";
import { newConversation } from "./records.ts";
import type { Conversation, ShownPage, VisitEvent } from "./records.ts";
import { openStorage } from "./storage.ts";

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;
const STORE_MS = 200;
const MAX_TITLE = 80;

/** A file that goes with a message, as AG-UI sends it. */
export interface AttachedFile {
  readonly name: string;
  readonly type: string;
  /** Base64. */
  readonly data: string;
}

type Body = Readonly<Record<string, unknown>>;

/** What a visit shows. */
export interface VisitState {
  /** `code`: the page asks for its code first; `failed`: it cannot be opened, and why. */
  readonly phase: "opening" | "code" | "ready" | "failed";
  readonly title: string;
  readonly page: ShownPage | undefined;
  readonly problem: Problem | undefined;
  readonly conversation: Conversation;
  /** The conversations that this browser keeps, newest first. */
  readonly kept: readonly Conversation[];
  /** Whether the connection of an answer was lost, and is tried again. */
  readonly isOffline: boolean;
}

/** A visit of a page in this tab. */
export interface VisitStore {
  subscribe(listener: () => void): () => void;
  state(): VisitState;
  /** Opens the page, with its code if it needs one. */
  open(code?: string): Promise<void>;
  /** Sends a message. @throws Problem when it is refused: nothing was said then */
  say(text: string, files: readonly AttachedFile[]): Promise<void>;
  /** Answers what the agent asks. @throws Problem */
  answer(payload: Readonly<Record<string, unknown>>): Promise<void>;
  stop(): Promise<void>;
  /** Shows a kept conversation, or a new one. */
  show(id?: string): void;
  forget(id: string): void;
  /** Ends all that is in progress in this tab; the answers go on in the service. */
  close(): void;
}

/** Creates the visit of the page with a slug; a conversation in progress goes on. */
export function createVisit(slug: string): VisitStore {
  const storage = openStorage(slug);
  const listeners = new Set<() => void>();
  const kept = storage.readAll();
  let token = storage.readToken();
  let following: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state: VisitState = {
    phase: "opening",
    title: "",
    page: undefined,
    problem: undefined,
    conversation: conversationToShow(kept, storage.readShown()) ?? newConversation(randomId(), Date.now()),
    kept,
    isOffline: false,
  };

  function set(change: Partial<VisitState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  /** Writes the conversation soon, with the position in its answer: a reload continues exactly there. */
  function change(conversation: Conversation): void {
    set({ conversation });
    timer ??= setTimeout(flush, STORE_MS);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const { conversation } = state;
    storage.storeShown(conversation.id);
    if (conversation.entries.length > 0) storage.store(conversation);
    set({ kept: storage.readAll() });
  }

  /** Another tab has gone on with a conversation: this one shows it as well, unless it reads the answer itself. */
  function onStorage(event: StorageEvent): void {
    const id = storage.changedBy(event);
    if (id === undefined) return;
    const kept = storage.readAll();
    set({ kept });
    const found = kept.find((each) => each.id === id);
    if (found === undefined || id !== state.conversation.id || following !== undefined) return;
    set({ conversation: found });
    // Before the first event the other tab may still be sending.
    if (isInProgress(found) && found.seen !== undefined && found.sending === undefined) follow();
  }

  async function open(code?: string): Promise<void> {
    addEventListener("storage", onStorage);
    const opened = await openPage(slug, { ...(token !== undefined && { visitor: token }), ...(code && { code }) });
    const { title } = opened;
    if (opened.token === null || opened.page === null) return set({ phase: "code", title });
    token = opened.token;
    storage.storeToken(token);
    set({ phase: "ready", title, page: opened.page, problem: undefined });
    if (isInProgress(state.conversation) && following === undefined) follow();
  }

  function onEvent(id: string, event: VisitEvent): void {
    set({ isOffline: false });
    change(withEvent(state.conversation, id, event));
  }

  /** Reads the answer until it is over, also over broken connections. Rejects with what the service refuses. */
  async function read(first?: Body, onAccepted?: () => void): Promise<void> {
    following?.abort();
    const own = new AbortController();
    following = own;
    try {
      await readOn(own.signal, first, onAccepted);
    } finally {
      if (following === own) following = undefined;
    }
  }

  async function readOn(signal: AbortSignal, first?: Body, onAccepted?: () => void): Promise<void> {
    const { id: threadId } = state.conversation;
    let [pending, pauseMs] = [first, FIRST_PAUSE_MS];
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        const body = { threadId, messages: [], protocolVersion: "1.1", ...pending };
        const request = { slug, token: token ?? "", body, seen: state.conversation.seen, signal };
        const isOver = await readAnswer(request, (id, event) => {
          if (signal.aborted) return;
          [pending, pauseMs] = [undefined, FIRST_PAUSE_MS];
          onAccepted?.();
          onEvent(id, event);
        });
        if (isOver) return over(signal);
      } catch (error) {
        const problem = asProblem(error);
        if (signal.aborted) return;
        if (problem.status === 401 && tries === 1) {
          await open();
          if (state.phase !== "ready") return;
          continue;
        }
        // Sent twice, because the first response was lost: it has had its effect.
        const wasTaken = problem.status === 409 && tries > 1 && pending !== undefined;
        if (wasTaken) pending = undefined;
        else if (problem.status < 500) throw problem;
      }
      if (signal.aborted) return;
      set({ isOffline: true });
      onAccepted?.();
      await new Promise((done) => setTimeout(done, pauseMs));
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  }

  function over(signal: AbortSignal): void {
    if (signal.aborted) return;
    set({ isOffline: false });
    const { conversation } = state;
    if (isInProgress(conversation)) change(ended(conversation));
    flush();
  }

  function follow(): void {
    const { id, sending } = state.conversation;
    read(sending).catch((error: unknown) => {
      if (state.conversation.id !== id) return;
      const problem = asProblem(error);
      if (problem.status === 410) return set({ phase: "failed", problem });
      const note =
        problem.status === 404 ? "This conversation is no longer kept here. Start a new one." : problem.message;
      change(ended(state.conversation, note));
    });
  }

  /** Sends what a conversation becomes next; resolves as soon as it is taken, or is tried again. */
  function send(next: Conversation, body: Body, isKept: boolean): Promise<void> {
    const before = state.conversation;
    change({ ...next, sending: isKept ? body : undefined });
    return new Promise((done, fail) => {
      let isTaken = false;
      read(body, () => {
        isTaken = true;
        done();
      }).then(done, (error: unknown) => {
        const problem = asProblem(error);
        if (isTaken) change(ended(state.conversation, problem.message));
        else change(before);
        if (before.entries.length === 0) storage.remove(before.id);
        if (problem.status === 410) set({ phase: "failed", problem });
        fail(problem);
      });
    });
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open: (code) =>
      open(code).catch((error: unknown) => {
        if (code !== undefined) throw asProblem(error);
        set({ phase: "failed", problem: asProblem(error) });
      }),
    async say(text, files) {
      const { conversation } = state;
      const id = randomId();
      const said = { kind: "said", id, text, files: files.map(({ name }) => name) } as const;
      const title = conversation.title || (text.trim() || (files[0]?.name ?? "")).slice(0, MAX_TITLE);
      const next = { ...conversation, title, entries: [...conversation.entries, said], seen: undefined };
      const body = { messages: [{ id, role: "user", content: contentOf(text, files) }] };
      await send({ ...next, state: "working" }, body, files.length === 0);
    },
    async answer(payload) {
      const { conversation } = state;
      const { question } = conversation;
      if (question === undefined) return;
      const id = randomId();
      const answered = { kind: "answered", id, question: question.title, text: answerText(question, payload) } as const;
      const entries = [...conversation.entries, answered];
      const resume = [{ interruptId: question.interactionId, status: "resolved", payload }];
      await send({ ...conversation, entries, state: "working", question: undefined }, { resume }, true);
    },
    async stop() {
      await stopAnswer({ slug, token: token ?? "", threadId: state.conversation.id });
      // Nothing is followed while the visitor is asked.
      if (state.conversation.state !== "asking") return;
      change(ended(state.conversation, "Stopped."));
      flush();
    },
    show(id) {
      flush();
      following?.abort();
      following = undefined;
      const found = id === undefined ? undefined : state.kept.find((each) => each.id === id);
      set({ conversation: found ?? newConversation(randomId(), Date.now()), isOffline: false });
      storage.storeShown(state.conversation.id);
      if (isInProgress(state.conversation)) follow();
    },
    forget(id) {
      storage.remove(id);
      if (state.conversation.id === id) {
        following?.abort();
        set({ conversation: newConversation(randomId(), Date.now()) });
      }
      set({ kept: storage.readAll() });
    },
    close() {
      removeEventListener("storage", onStorage);
      flush();
      following?.abort();
      following = undefined;
    },
  };
}

/** A reload shows what the tab has shown; a new tab what has not ended. */
function conversationToShow(kept: readonly Conversation[], shown: string | null): Conversation | undefined {
  return kept.find(({ id }) => id === shown) ?? kept.find(({ state }) => state !== "idle");
}

function isInProgress({ state }: Conversation): boolean {
  return state === "working" || state === "waiting";
}

function contentOf(text: string, files: readonly AttachedFile[]) {
  if (files.length === 0) return text;
  const parts = files.map(({ name, type, data }) => ({ type: "binary", mimeType: type, data, filename: name }));
  return [...(text === "" ? [] : [{ type: "text", text }]), ...parts];
}
