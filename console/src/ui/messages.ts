import { useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import { asProblem } from "../api/problem.ts";

/** A message that is shown for some seconds. */
export interface Message {
  readonly id: number;
  readonly text: ReactNode;
  readonly action?: { readonly label: string; readonly onClick: () => void } | undefined;
}

let messages: readonly Message[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a message for some seconds, for what the page itself does not show. Equal texts are shown once. */
export function showToast(text: ReactNode, action?: Message["action"]): void {
  lastId += 1;
  replace([...messages.filter((each) => each.text !== text), { id: lastId, text, action }]);
}

/** Shows what something failed with. */
export function showFailure(error: unknown): void {
  showToast(asProblem(error).message);
}

/** Work whose failure is shown. */
export function orTell(work: Promise<unknown>): void {
  void work.catch(showFailure);
}

/** The action _Undo_ of a message, for what can really be undone. Its failure is shown. */
export function undoWith(undo: () => Promise<void> | void): NonNullable<Message["action"]> {
  const act = async () => undo();
  return { label: "Undo", onClick: () => orTell(act()) };
}

/** Removes a message before or after its time. */
export function dropMessage(id: number): void {
  replace(messages.filter((each) => each.id !== id));
}

/** The messages that are shown now. */
export function useMessages(): readonly Message[] {
  return useSyncExternalStore(subscribe, () => messages);
}

function replace(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
