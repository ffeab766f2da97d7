import { useNavigate } from "@tanstack/react-router";
import { useWorkspace } from "../../../api/use-session.ts";

/** Shows a golden run of an agent, in the agent's tab. */
export function useShowGolden(agentId: string): (id: string) => Promise<void> {
  const navigate = useNavigate();
  const { slug } = useWorkspace();
  return (golden) =>
    navigate({
      to: "/w/$workspace/agents/$id",
      params: { workspace: slug, id: agentId },
      search: { tab: "golden", golden },
    });
}
