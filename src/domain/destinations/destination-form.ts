import { z } from "zod";

/** What people fill in to make an output route of one type. */
export interface DestinationForm {
  /** The name in a route's `type`, such as `google_sheets`. */
  readonly type: string;
  /** The name shown to people. */
  readonly title: string;
  /** What a delivery does there, in one sentence. */
  readonly description: string;
  /** The OAuth account that the workspace has to connect first; null when the configuration is all. */
  readonly account: "google" | null;
  /** The fields: each with a `title`, secrets with `writeOnly`, URLs with `format: "uri"`. */
  readonly config: z.ZodObject;
}

/** A form as JSON Schema (draft 2020-12): secrets are `writeOnly`, every field has a `title`. */
export function formSchema({ config }: DestinationForm): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(config, { io: "input" });
}

/** The names of a form's secret fields. */
export function secretFields({ config }: DestinationForm): readonly string[] {
  return fieldsWhere(config, (meta) => meta["writeOnly"] === true);
}

/** The names of a form's fields that hold a URL to send to. */
export function urlFields({ config }: DestinationForm): readonly string[] {
  return fieldsWhere(config, (meta) => meta["format"] === "uri");
}

function fieldsWhere(config: z.ZodObject, test: (meta: Readonly<Record<string, unknown>>) => boolean): string[] {
  return Object.entries(config.shape).flatMap(([name, field]) =>
    test(z.globalRegistry.get(field) ?? {}) ? [name] : [],
  );
}
