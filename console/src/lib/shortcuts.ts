import { useEffect, useRef } from "react";

/** What each key does: `c`, `E`, `mod+k` (⌘ or Ctrl), `alt+a`, or two in a row as in `g r`. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const SEQUENCE_MS = 1_200;
/** Keys that follow each other faster are one text, unless one of these is between them. */
const TYPING_MS = 1_500;
const TEXT_ENDS: ReadonlySet<string> = new Set(["Enter", "Escape", "Tab"]);
const KEY = "muster.single-keys";

/** Whether keys without a modifier do something; people who dictate switch them off. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(KEY) !== "off";
}

/** Switches keys without a modifier on or off in this browser. */
export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, "off");
}

/** The field into which a person typed last, and when. */
let typed: { readonly field: Element; readonly at: number } | undefined;

document.addEventListener(
  "keydown",
  ({ target, key, timeStamp: at }) => {
    if (TEXT_ENDS.has(key)) typed = undefined;
    else if (isField(target)) typed = { field: target, at };
    else if (typed !== undefined && isTypingOn(at)) typed = { ...typed, at };
  },
  { capture: true },
);

/** Whether a person still types into a field that has left the page, such as that of a question that was closed. */
function isTypingOn(at: number): boolean {
  return typed !== undefined && !typed.field.isConnected && at - typed.at < TYPING_MS;
}

/** Listens for keys while the component is mounted. Single keys are off in text fields and while a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => {
    let before: { readonly key: string; readonly at: number } | undefined;
    function onKey(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing) return;
      const name = nameOf(event);
      const isSingle = modifiersOf(event).length === 0;
      if (isSingle && (!areSingleKeysOn() || isBusyElsewhere(event))) return;
      const pair =
        before !== undefined && event.timeStamp - before.at < SEQUENCE_MS ? `${before.key} ${name}` : undefined;
      const act = (pair === undefined ? undefined : current.current[pair]) ?? current.current[name];
      before = { key: name, at: event.timeStamp };
      if (act === undefined) return;
      event.preventDefault();
      act(event);
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function modifiersOf({ metaKey, ctrlKey, altKey }: KeyboardEvent): readonly string[] {
  return [...(metaKey || ctrlKey ? ["mod"] : []), ...(altKey ? ["alt"] : [])];
}

function nameOf(event: KeyboardEvent): string {
  return [...modifiersOf(event), keyOf(event)].join("+");
}

function keyOf({ altKey, shiftKey, code, key }: KeyboardEvent): string {
  // With Alt, a Mac gives another character; the position of the key identifies it.
  if (altKey && code.startsWith("Key")) return code.slice("Key".length).toLowerCase();
  // Caps Lock gives capitals.
  return shiftKey || key.length > 1 ? key : key.toLowerCase();
}

function isBusyElsewhere({ target, timeStamp }: KeyboardEvent): boolean {
  if (isField(target) || isTypingOn(timeStamp)) return true;
  return document.querySelector("[role=dialog], [role=menu]") !== null;
}

function isField(target: EventTarget | null): target is HTMLElement {
  if (!(target instanceof HTMLElement)) return false;
  const fields = "input:not([type=checkbox]), textarea, select, [role=menu], [role=dialog]";
  return target.isContentEditable || target.closest(fields) !== null;
}
