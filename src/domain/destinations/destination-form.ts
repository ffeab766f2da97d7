import { z } from "zod";
import type { RouteKind } from "./output-route.ts";

/** The form of an output route of one type. */
export interface DestinationForm {
  /** The name in a route's `type`, such as `google_sheets`. */
  readonly type: string;
  /** The display name. */
  readonly title: string;
  /** The effect of a delivery, in one sentence. */
  readonly description: string;
  /** The OAuth account that the workspace must connect first; null if the configuration suffices. */
  readonly account: "google" | null;
  /** How to set the vendor up for questions, with `{url}` for the route's own; null when it cannot ask people. */
  readonly peopleSetup: string | null;
  /** The same for an agent that people talk to; null where that is impossible. */
  readonly agentSetup: string | null;
  /** The fields of a route of kind agent; null as above. */
  readonly agentConfig: z.ZodObject | null;
  /** The fields: each has a `title`, secrets have `writeOnly`, URLs have `format: "uri"`. */
  readonly config: z.ZodObject;
}

/** Returns a form as JSON Schema (draft 2020-12): secrets are `writeOnly`, every field has a `title`. */
export function formSchema({ config }: Pick<DestinationForm, "config">): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(config, { io: "input" });
}

/** The form of a route of a kind. */
export function formOfKind<Form extends DestinationForm>(form: Form, kind: RouteKind): Form {
  return kind === "agent" && form.agentConfig !== null ? { ...form, config: form.agentConfig } : form;
}

/** Returns the names of a form's secret fields. */
export function secretFields({ config }: DestinationForm): readonly string[] {
  return fieldsWhere(config, (meta) => meta["writeOnly"] === true);
}

/** Returns the names of a form's URL fields. */
export function urlFields({ config }: DestinationForm): readonly string[] {
  return fieldsWhere(config, (meta) => meta["format"] === "uri");
}

function fieldsWhere(config: z.ZodObject, test: (meta: Readonly<Record<string, unknown>>) => boolean): string[] {
  return Object.entries(config.shape).flatMap(([name, field]) =>
    test(z.globalRegistry.get(field) ?? {}) ? [name] : [],
  );
}
