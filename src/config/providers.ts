import { z } from "zod";
import { trimEndOf } from "#lib/text/trim-end.ts";
import type { ProviderConnection } from "#providers/define-provider.ts";
import { PROVIDERS } from "#providers/registry.ts";

const apiKey = z.string().min(1).optional();
const baseUrl = z.url().optional();

const shape: Record<string, z.ZodType<string | undefined>> = Object.fromEntries(
  PROVIDERS.flatMap(({ settings }) =>
    settings === undefined
      ? []
      : [
          [settings.apiKey.name, apiKey.describe(settings.apiKey.help)] as const,
          [settings.baseUrl.name, baseUrl.describe(settings.baseUrl.help)] as const,
        ],
  ),
);

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
      const connection = {
        ...(key !== undefined && { apiKey: key }),
        ...(base !== undefined && { baseUrl: trimEndOf(base, "/") }),
      };
      return [[id, connection] as const];
    }),
  );
}
