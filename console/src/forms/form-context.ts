import { createContext, use, useEffect } from "react";

/** What the fields and the buttons of a form know of it. */
export interface FormState {
  readonly isBusy: boolean;
  /** The server's issues that belong to no field, nor to anything in one. */
  readonly error: string | undefined;
  /** Why the person may not use it. */
  readonly blockedBy?: string | undefined;
  /** The record that it changes: each field begins with the value of its name. */
  readonly record?: object | undefined;
  /** The paths of the fields that are shown, as the server names them. */
  readonly paths: readonly string[];
  /** The server's issue with a field, or with anything in it: `tools` also has that of `tools.0`. */
  readonly issueOf: (path: string) => string | undefined;
  /** A field with this path is shown. @returns tells that it is no longer */
  readonly addPath: (path: string) => () => void;
}

/** The form around. */
export const FormContext = createContext<FormState | undefined>(undefined);

/** For a field that shows the server's issues with it. @param paths as the server names it; a field can stand for several */
export function useIssue(...paths: readonly string[]): string | undefined {
  const form = use(FormContext);
  const addPath = form?.addPath;
  const known = paths.join(" ");
  useEffect(() => {
    const removals = known === "" ? [] : known.split(" ").map((path) => addPath?.(path));
    return () => removals.forEach((remove) => remove?.());
  }, [addPath, known]);
  return paths.map((path) => form?.issueOf(path)).find((issue) => issue !== undefined);
}

/** Whether the server has an issue with anything under a path. */
export function useHasIssues(path: string): boolean {
  return use(FormContext)?.issueOf(path) !== undefined;
}

/** What a field begins with by the record of its form, as text; undefined where the record has none. */
export function useRecordText(name: string): string | undefined {
  const values = new Map<string, unknown>(Object.entries(use(FormContext)?.record ?? {}));
  const value = values.get(name);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
