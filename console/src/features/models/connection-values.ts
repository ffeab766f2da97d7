import type { operations } from "#client/gen/schema.ts";
import { textIn } from "../../forms/use-submit.ts";

const TEXTS = ["api_key", "base_url", "resource", "region", "project"] as const;

type Tested = NonNullable<operations["testProviderKey"]["requestBody"]>["content"]["application/json"];
type Connection = Omit<Tested, "model">;

/** The parts of a connection that are typed in a form; empty ones are left out. */
export function connectionIn(values: FormData): Connection {
  const typed = TEXTS.flatMap((part) => {
    const text = textIn(values, part);
    return text === "" ? [] : [[part, text] as const];
  });
  const api = textIn(values, "api");
  return { ...Object.fromEntries(typed), ...((api === "chat" || api === "responses") && { api }) };
}
