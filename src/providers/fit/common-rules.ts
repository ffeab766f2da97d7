import { dropBlankTexts } from "./blank-texts.ts";
import type { FitRule } from "./fit-request.ts";
import { fitToolNames } from "./names.ts";
import { moveNotices } from "./notices.ts";
import { fitEffort, fitMaxTokens, fitTemperature, fitToolChoice } from "./parameters.ts";
import { fitResponseSchema } from "./response-schema.ts";
import { fitToolSchemas } from "./tool-schemas.ts";

/** The rules that every vendor's requests keep, because some vendor rejects what breaks them and none minds. */
export const COMMON_RULES: readonly FitRule[] = [
  moveNotices,
  dropBlankTexts,
  fitToolNames,
  fitToolSchemas,
  fitEffort,
  fitTemperature,
  fitMaxTokens,
  fitToolChoice,
  fitResponseSchema,
];
