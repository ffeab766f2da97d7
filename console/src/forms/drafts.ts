import { identityOf, sessionState } from "../api/session.ts";

const KEY = "muster.draft";

/**
 * Reads what was typed under a name in this tab and is not sent yet. It survives a reload and a crash of the tab. It
 * belongs to one person in one workspace: others have their own under the same name.
 * @param none what is returned when there is nothing
 */
export function readDraft<T>(name: string, none: T): T {
  const text = sessionStorage.getItem(ownKey(name));
  return text === null ? none : JSON.parse(text);
}

/** Stores it; undefined removes it. A password, a key or a token must not be stored. */
export function storeDraft(name: string, draft: unknown): void {
  if (draft === undefined) return sessionStorage.removeItem(ownKey(name));
  try {
    sessionStorage.setItem(ownKey(name), JSON.stringify(draft));
  } catch {
    // More than the browser stores: the page alone has it.
  }
}

/** Removes the person's drafts whose names are outdated. */
export function removeDrafts(isOutdated: (name: string) => boolean): void {
  const prefix = ownKey("");
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix) && isOutdated(key.slice(prefix.length))) sessionStorage.removeItem(key);
  }
}

/** Removes a draft, and those of its parts: `name.part`. */
export function removeDraftsOf(name: string): void {
  removeDrafts((each) => each === name || each.startsWith(`${name}.`));
}

function ownKey(name: string): string {
  return `${KEY}.${identityOf(sessionState()) ?? ""}.${name}`;
}
