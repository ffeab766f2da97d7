import { createContext } from "react";

/** What was typed into a form and is not sent. It survives the form, its page, and a reload of the tab. */
export interface FormDraft {
  /** There was one when the form was opened. */
  readonly isRestored: boolean;
  /** The values of a field; undefined while it is as the form gives it. */
  readonly valuesOf: (field: string) => readonly string[] | undefined;
  /** Stores the values of a field. @param initial those that the form gives it: they need no draft */
  readonly write: (field: string, values: readonly string[], initial?: readonly string[]) => void;
  readonly clear: () => void;
}

/** The draft of the form around; its fields begin with their values. */
export const DraftContext = createContext<FormDraft | undefined>(undefined);
