import { useNavigate } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Radio } from "../../ui/radio.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { MODE_LABELS, ModePicture } from "./modes.tsx";
import { TEAM_MODES } from "../used-by/team-mode.ts";
import { useTeamActions } from "./queries.ts";
import { ChoiceCard } from "../../ui/choice-card.tsx";

/** Creates a draft of a team and opens it, to be filled there. */
export function NewTeam({
  onClose,
  onTemplates,
}: {
  readonly onClose: () => void;
  /** Shows the teams to begin with instead. */
  readonly onTemplates: () => void;
}) {
  const navigate = useNavigate();
  const { slug } = useWorkspace();
  const { create } = useTeamActions();
  return (
    <RecordDialog
      title="New team"
      action="Create team"
      draft="team.new"
      before={
        <Button look="quiet" className="me-auto" onClick={onTemplates}>
          Start from a template
        </Button>
      }
      save={async (values) => {
        const mode = TEAM_MODES.find((each) => each === textIn(values, "mode")) ?? "pipeline";
        return create({ name: textIn(values, "name"), mode });
      }}
      onSaved={({ id }) => navigate({ to: "/w/$workspace/teams/$id", params: { workspace: slug, id } })}
      onClose={onClose}
    >
      <TextField name="name" label="Name" required maxLength={100} />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 font-medium">Mode</legend>
        {TEAM_MODES.map((mode) => (
          <ChoiceCard key={mode} className="items-center hover:bg-raised">
            <Radio name="mode" value={mode} defaultChecked={mode === "pipeline"} />
            <ModePicture mode={mode} />
            <span className="min-w-0">
              <span className="block font-medium">{MODE_LABELS[mode].label}</span>
              <span className="block text-ink-2">{MODE_LABELS[mode].sentence}</span>
            </span>
          </ChoiceCard>
        ))}
      </fieldset>
    </RecordDialog>
  );
}
