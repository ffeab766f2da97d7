import { MAX_PRICED_CALLS, priceBands, promptLimits } from "#domain/models/what-if.ts";
import type { WhatIf } from "#domain/models/what-if.ts";
import { readTokenBands } from "#db/queries/budgets/token-bands.ts";
import type { PricedCalls } from "#db/queries/budgets/token-bands.ts";
import type { Workspace } from "../workspace.ts";

/** Prices recorded calls of the caller's workspace with every model of the catalogue; a report. */
export async function priceCalls(workspace: Workspace, calls: PricedCalls): Promise<WhatIf> {
  const { catalogue, prices, reports } = workspace;
  const bands = await readTokenBands(reports, calls, { limits: promptLimits(catalogue), limit: MAX_PRICED_CALLS });
  return priceBands(bands, catalogue, prices);
}
