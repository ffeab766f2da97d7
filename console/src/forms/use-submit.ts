import { useCallback, useEffect, useRef, useState } from "react";
import type { FormEvent, RefObject } from "react";
import { asProblem } from "../api/problem.ts";
import type { Problem } from "../api/problem.ts";
import type { FormState } from "./form-context.ts";

/** A form whose input the server validates. */
export interface Submit {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly state: FormState;
}

/**
 * Sends a form and keeps what the server answers about it. What was typed stays; the first rejected field gets the focus.
 * @param act sends the values, with that of the button that was pressed; what it throws is shown
 */
export function useSubmit(act: (values: FormData) => Promise<void>): Submit {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const issues = useIssues(problem);
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
    onSubmit(event) {
      event.preventDefault();
      const { nativeEvent: sending } = event;
      if (!isBusy) void submit(event.currentTarget, sending instanceof SubmitEvent ? sending.submitter : null);
    },
    state: { ...issues, isBusy },
  };
}

/** Divides what the server says of a form among its fields; the rest is the `error` of the form itself. */
export function useIssues(problem: Problem | undefined): Omit<FormState, "isBusy"> {
  const [paths, setPaths] = useState<readonly string[]>([]);
  const addPath = useCallback((path: string) => {
    setPaths((shown) => [...shown, path]);
    return () => setPaths((shown) => shown.toSpliced(shown.indexOf(path), 1));
  }, []);
  return {
    error: problem && issuesBeside(problem, paths),
    paths,
    addPath,
    issueOf: (path) => problem?.details.find((issue) => isUnder(issue.path, path))?.message,
  };
}

/** What a problem says beside its issues with fields; undefined for nothing. */
function issuesBeside({ message, details }: Problem, fields: readonly string[]): string | undefined {
  const others = details.filter(({ path }) => !fields.some((field) => isUnder(path, field)));
  if (details.length > 0 && others.length === 0) return undefined;
  return [
    message,
    ...others.map((issue) => (issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`)),
  ].join(" ");
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
