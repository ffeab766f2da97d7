import { use } from "react";
import { FormContext } from "../forms/form-context.ts";
import { isSame } from "../lib/changed-fields.ts";

/** In a form: that another person, or a program, has changed one of its fields since the form was opened. */
export function StaleNotice({ opened }: { readonly opened: object | undefined }) {
  const { record, paths = [] } = use(FormContext) ?? {};
  if (opened === undefined || record === undefined || !paths.some((path) => isChanged(path, opened, record)))
    return null;
  return (
    <p role="status" className="note bg-waiting-soft text-waiting">
      Changed elsewhere since you opened this form. Saving changes only the fields that you have edited.
    </p>
  );
}

/** @param path of a field, or of one in it, such as `config.url` */
function isChanged(path: string, opened: object, now: object): boolean {
  const [field = ""] = path.split(".");
  const [before, after] = [opened, now].map((record) => new Map<string, unknown>(Object.entries(record)).get(field));
  return !isSame(before, after);
}
