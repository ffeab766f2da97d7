import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import type { FieldIssue } from "#domain/errors.ts";
import type { SchemaChecker } from "#lib/json-schema/schema-checker.ts";
import { argumentIssues } from "#operations/tools/custom-tools/check-schema.ts";
import type { ToolParameters } from "#operations/tools/custom-tools/check-schema.ts";

/** Validates a tool's arguments against the JSON Schema of its workspace or server. */
export function argumentsFor(services: { readonly schemas: SchemaChecker }, tool: ToolParameters) {
  return z.record(z.string(), z.unknown()).superRefine(async (args, context) => {
    for (const { path, message } of await argumentIssues(services, tool, args).catch(rejection)) {
      context.addIssue({ code: "custom", path: path === "" ? [] : path.split("."), message });
    }
  });
}

/** The model reads this, and may call the tool later. */
function rejection(error: unknown): readonly FieldIssue[] {
  if (error instanceof AppError) return [{ path: "", message: error.message }];
  throw error;
}
