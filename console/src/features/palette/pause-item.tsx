import { useBlockedBy } from "../../api/use-session.ts";
import { PauseIcon, PlayIcon } from "../../ui/icons.ts";
import { useWorkspaceRecord } from "../workspace/queries.ts";
import { usePauseWork } from "../workspace/use-pause-work.ts";
import { Item } from "./items.tsx";

/** What it does, as the button of other screens says it. */
export const PAUSE_LABELS: readonly string[] = ["Pause new work", "Resume new work"];

/** Pauses the start of new runs from any screen, or resumes it, for those who may. A band then says so everywhere. */
export function PauseItem({ then }: { readonly then: (act: () => unknown) => () => void }) {
  const blockedBy = useBlockedBy("admin");
  const { data } = useWorkspaceRecord();
  const { mutate } = usePauseWork();
  if (blockedBy !== undefined || data === undefined) return null;
  const [icon, label] = data.paused
    ? ([PlayIcon, "Resume new work"] as const)
    : ([PauseIcon, "Pause new work"] as const);
  return (
    <Item icon={icon} onSelect={then(() => mutate(!data.paused))}>
      {label}
    </Item>
  );
}
