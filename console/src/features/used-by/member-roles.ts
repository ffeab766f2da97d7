import type { components } from "#client/gen/schema.ts";
import type { TeamMode } from "./team-mode.ts";

type Role = components["schemas"]["Team"]["members"][number]["role"];

const LABELS: Readonly<Record<TeamMode, Readonly<Partial<Record<Role, string>>>>> = {
  pipeline: { worker: "Step", reviewer: "Merge" },
  orchestrator: { orchestrator: "Brain", worker: "Worker" },
  collaboration: { orchestrator: "Facilitator", participant: "Speaker" },
};

/** What an agent does in a team of a mode, in the words of its editor. @param roles as the API has them, such as `worker` */
export function roleLabel(mode: TeamMode, roles: string): string {
  const labels = new Map<string, string>(Object.entries(LABELS[mode]));
  return roles
    .split(", ")
    .map((role) => labels.get(role) ?? role)
    .join(", ");
}
