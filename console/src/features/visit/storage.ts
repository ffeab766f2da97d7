import type { Conversation } from "./records.ts";

/** The most conversations that a browser keeps of a page. */
const MAX_KEPT = 50;

/** What this browser keeps of the visits of one page. */
export interface VisitStorage {
  /** The visitor's token; undefined before the first visit. */
  readToken(): string | undefined;
  storeToken(token: string): void;
  /** The id of the conversation that this tab has shown last; null in a new tab. */
  readShown(): string | null;
  storeShown(id: string): void;
  /** All conversations, newest first. */
  readAll(): readonly Conversation[];
  store(conversation: Conversation): void;
  remove(id: string): void;
  /** The id of the conversation that an event of another tab is about; undefined for any other event. */
  changedBy(event: StorageEvent): string | undefined;
}

/** Opens it. Each conversation has a key of its own: two tabs do not overwrite each other's. */
export function openStorage(slug: string): VisitStorage {
  const prefix = `muster.page.${slug}.`;
  const shownKey = `muster.shown.${slug}`;
  const tokenKey = `muster.visitor.${slug}`;
  function readAll(): readonly Conversation[] {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return keys.flatMap(readOne).toSorted((one, other) => other.at - one.at);
  }
  function write(key: string, text: string): void {
    try {
      localStorage.setItem(key, text);
    } catch {
      // More than the browser stores: the oldest ones make room, or the tab alone has it.
      for (const { id } of readAll().slice(MAX_KEPT / 2)) localStorage.removeItem(prefix + id);
    }
  }
  return {
    readToken: () => localStorage.getItem(tokenKey) ?? undefined,
    storeToken: (token) => write(tokenKey, token),
    readShown: () => sessionStorage.getItem(shownKey),
    storeShown: (id) => sessionStorage.setItem(shownKey, id),
    readAll,
    store(conversation) {
      write(prefix + conversation.id, JSON.stringify(conversation));
      for (const { id } of readAll().slice(MAX_KEPT)) localStorage.removeItem(prefix + id);
    },
    remove: (id) => localStorage.removeItem(prefix + id),
    changedBy: ({ key }) => (key?.startsWith(prefix) === true ? key.slice(prefix.length) : undefined),
  };
}

function readOne(key: string): Conversation[] {
  try {
    const stored: Conversation | null = JSON.parse(localStorage.getItem(key) ?? "null");
    return stored === null ? [] : [stored];
  } catch {
    return [];
  }
}
