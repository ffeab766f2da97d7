import { isFields } from "./config/fields.ts";

/** Up to this many edits can be undone. */
const MAX_EDITS = 100;

/** What was before the present state, and what was undone; the newest first. */
export interface History<State> {
  readonly past: readonly State[];
  readonly future: readonly State[];
  /** The text that the last edit typed in, by its path; undefined for any other edit. */
  readonly typed: string | undefined;
}

/** Nothing to undo. */
export const NO_HISTORY = { past: [], future: [], typed: undefined } as const;

/** After an edit. Letters that are typed into one text are one edit. */
export function afterEdit<State>(history: History<State>, before: State, after: State): History<State> {
  const typed = typedText(before, after);
  const past = typed !== undefined && typed === history.typed ? history.past : [before, ...history.past];
  return { past: past.slice(0, MAX_EDITS), future: [], typed };
}

/** One edit back; undefined when there is none. */
export function undone<State>({ past, future }: History<State>, present: State): Step<State> | undefined {
  const [state, ...rest] = past;
  return state && { state, history: { past: rest, future: [present, ...future], typed: undefined } };
}

/** One undone edit forward again; undefined when there is none. */
export function redone<State>({ past, future }: History<State>, present: State): Step<State> | undefined {
  const [state, ...rest] = future;
  return state && { state, history: { past: [present, ...past], future: rest, typed: undefined } };
}

interface Step<State> {
  readonly state: State;
  readonly history: History<State>;
}

/** The path of the one text that differs, by a letter more or less; undefined when anything else differs. */
function typedText(before: unknown, after: unknown): string | undefined {
  if (typeof before === "string" && typeof after === "string") {
    return Math.abs(before.length - after.length) === 1 ? "" : undefined;
  }
  const [old, now] = [entriesOf(before), entriesOf(after)];
  if (old === undefined || now === undefined) return undefined;
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const changed = names.filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)));
  const [name] = changed;
  if (name === undefined || changed.length > 1) return undefined;
  const rest = typedText(old.get(name), now.get(name));
  return rest === undefined ? undefined : `${name}.${rest}`;
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return isFields(value) || Array.isArray(value) ? new Map(Object.entries(value)) : undefined;
}
