import { z } from "zod";
import { CONNECTION_FIELDS, connectionFields } from "#domain/models/connection-fields.ts";
import { onOneLine } from "#lib/text/key-text.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";
import type { Provider, ProviderConnection } from "#providers/define-provider.ts";
import { PROVIDERS } from "#providers/gen/registry.ts";

const baseUrl = z.url().optional();

type Setting = readonly [name: string, schema: z.ZodType<string | undefined>];

const shape: Record<string, z.ZodType<string | undefined>> = Object.fromEntries(PROVIDERS.flatMap(settingsOf));

/** The settings of each provider, derived from the registry. */
export const providerSettings = z.object(shape);

/** The instance's connections, by provider id. */
export type ProviderConnections = Readonly<Record<string, ProviderConnection>>;

/** Reads the connection settings of each provider. */
export function providerConnections(given: z.output<typeof providerSettings>): ProviderConnections {
  return Object.fromEntries(
    PROVIDERS.flatMap(({ id, settings }) => {
      if (settings === undefined) return [];
      const key = given[settings.apiKey.name];
      const base = given[settings.baseUrl.name];
      const fields = connectionFields.parse(
        Object.fromEntries(CONNECTION_FIELDS.map((name) => [name, given[settings[name]?.name ?? ""]])),
      );
      const connection = {
        ...(key !== undefined && { apiKey: key }),
        ...(base !== undefined && { baseUrl: trimEndOf(base, "/") }),
        ...fields,
      };
      return [[id, connection] as const];
    }),
  );
}

function settingsOf({ settings, keyProblem }: Provider): readonly Setting[] {
  if (settings === undefined) return [];
  const fields = CONNECTION_FIELDS.flatMap((name): Setting[] => {
    const setting = settings[name];
    return setting === undefined ? [] : [[setting.name, connectionFields.shape[name].describe(setting.help)]];
  });
  return [
    [settings.apiKey.name, keySchema(keyProblem).describe(settings.apiKey.help)],
    [settings.baseUrl.name, baseUrl.describe(settings.baseUrl.help)],
    ...fields,
  ];
}

function keySchema(problem: Provider["keyProblem"]) {
  return z
    .string()
    .min(1)
    .overwrite(onOneLine)
    .check(({ value, issues }) => {
      const message = problem?.(value);
      if (message !== undefined) issues.push({ code: "custom", message, input: value });
    })
    .optional();
}
