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
  return Object.entries(config.shape).flatMap(([name, field]) =>
    z.globalRegistry.get(field)?.["writeOnly"] === true ? [name] : [],
  );
}
