import type { SharedV4Warning } from "@ai-sdk/provider";

/** Says in a sentence what an AI SDK package changed in a request, or left out. */
export function describeWarning(warning: SharedV4Warning): string {
  switch (warning.type) {
    case "unsupported":
      return warning.details ?? `The model does not support ${warning.feature}; it was not sent.`;
    case "compatibility":
      return warning.details ?? `${warning.feature} was sent in another form.`;
    case "deprecated":
    case "other":
      return warning.message;
  }
}
