import type { ModelRequest } from "#domain/models/model-call.ts";
import type { ModelCapabilities } from "#domain/models/model-catalogue.ts";

/** A request as a model can receive it, and what was changed for that, in sentences for people. */
export interface FittedRequest {
  readonly request: ModelRequest;
  readonly notes: readonly string[];
}

/**
 * Changes one thing of a request that its receiver would reject; a pure function. It notes what a caller might miss,
 * and nothing about a mere change of form.
 */
export type FitRule = (request: ModelRequest, capabilities: ModelCapabilities) => FittedRequest;

/** Fits a request to a model, one rule after another. */
export function fitRequest(
  request: ModelRequest,
  capabilities: ModelCapabilities,
  rules: readonly FitRule[],
): FittedRequest {
  return rules.reduce<FittedRequest>(
    (fitted, rule) => {
      const next = rule(fitted.request, capabilities);
      return { request: next.request, notes: [...fitted.notes, ...next.notes] };
    },
    { request, notes: [] },
  );
}
