import { useEffect, useRef, useState } from "react";
import type { FormEvent, RefObject } from "react";
import { asProblem } from "../api/problem.ts";
import type { Problem } from "../api/problem.ts";

/** A form whose input the server validates. */
export interface Submit {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly isBusy: boolean;
  /** The server's issue with a field, by its path. */
  readonly errorOf: (path: string) => string | undefined;
  /** The same for a field or anything in it: `tools` also for `tools.0`. */
  readonly errorUnder: (path: string) => string | undefined;
  /** The issues that belong to none of the named fields, nor to anything in one. */
  readonly formError: (fields: readonly string[]) => string | undefined;
}

/**
 * Sends a form and keeps what the server answers about it. What was typed stays; the first rejected field gets the focus.
 * @param act sends the values, with that of the button that was pressed; what it throws is shown
 */
export function useSubmit(act: (values: FormData) => Promise<void>): Submit {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const sent = useRef<HTMLFormElement>(null);
  useFocusRejected(sent, problem);

  async function submit(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
    sent.current = form;
    setBusy(true);
    setProblem(undefined);
    try {
      await act(new FormData(form, button));
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  }

  return {
    isBusy,
    onSubmit(event) {
      event.preventDefault();
      const { nativeEvent: sending } = event;
      if (!isBusy) void submit(event.currentTarget, sending instanceof SubmitEvent ? sending.submitter : null);
    },
    errorOf: (path) => problem?.details.find((issue) => issue.path === path)?.message,
    errorUnder: (path) => problem?.details.find((issue) => isUnder(issue.path, path))?.message,
    formError(fields) {
      if (problem === undefined) return undefined;
      const others = problem.details.filter(({ path }) => !fields.some((field) => isUnder(path, field)));
      if (problem.details.length > 0 && others.length === 0) return undefined;
      return [
        problem.message,
        ...others.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)),
      ].join(" ");
    },
  };
}

/** Gives the first rejected field in an element the focus when the server has rejected what was sent. */
export function useFocusRejected(form: RefObject<HTMLElement | null>, problem: Problem | undefined): void {
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, problem]);
}

function isUnder(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}

/** A text field of a form. */
export function textIn(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
}
