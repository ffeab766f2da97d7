import { percent, plural } from "../../lib/format.ts";
import { useEstimate } from "./queries.ts";
import type { Cap } from "./queries.ts";

/** "Would have stopped 8 % of the last 200 runs." Nothing without a limit or runs. @param whose as `pickedValue` writes it */
export function StoppedShare({ whose, cap }: { readonly whose: string; readonly cap: Cap }) {
  const isCapped = cap.max_usd !== null || cap.max_tokens !== null;
  const told = useEstimate(isCapped ? whose : undefined, cap);
  if (!isCapped || told?.stopped_share == null) return null;
  const { stopped_share: share, runs } = told;
  return (
    <>
      Would have stopped {share === 0 ? "none" : percent(share)} of the last {plural(runs, "run")}.
    </>
  );
}
