import type { z } from "zod";
import { isRoleName } from "#domain/display-name.ts";
import { AppError } from "#domain/errors.ts";
import { storableText } from "#domain/storable.ts";
import { withoutInvisible } from "#lib/text/without-invisible.ts";
import type { ChannelPerson } from "./answer-press.ts";

const MAX_NAME = 100;

/** Reads a call's JSON, whose texts become storable. @throws AppError `bad_request` for what the vendor does not document */
export function readJson<Call>(schema: z.ZodType<Call>, text: string): Call {
  let value: unknown;
  try {
    value = JSON.parse(text, (_key, part: unknown) => (typeof part === "string" ? storableText(part) : part));
  } catch {
    throw new AppError("bad_request", "The body must be JSON.");
  }
  const { data } = schema.safeParse(value);
  if (data === undefined) throw new AppError("bad_request", "The body is not what the vendor documents.");
  return data;
}

/** A person under the first name that can be shown; the id when there is none. A role is no name. */
export function personOf(id: string, names: readonly (string | null | undefined)[]): ChannelPerson {
  const shown = names
    .map((name) =>
      withoutInvisible(name ?? "")
        .trim()
        .slice(0, MAX_NAME)
        .toWellFormed(),
    )
    .find((name) => name !== "" && !isRoleName(name));
  return { id, name: shown ?? id };
}
