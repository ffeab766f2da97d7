import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { updateAgent } from "#client/gen/operations/agents.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { showToast } from "../../ui/messages.ts";
import { FactList, FactRow } from "../../ui/fact-list.tsx";
import type { Agent } from "./records.ts";
import { WarningBand } from "../../ui/warning-band.tsx";

/** Says that a copy from the marketplace cannot work yet, with the dialog in which a person reads and confirms it. */
export function ReviewBanner({ agent }: { readonly agent: Agent }) {
  const [isOpen, setOpen] = useState(false);
  const blockedBy = useBlockedBy("member");
  return (
    <WarningBand>
      <p className="min-w-0 flex-1">
        <span className="font-medium">This copy cannot work yet.</span> It comes from the marketplace: read its prompt
        and tools, then confirm it.
      </p>
      <Button blockedBy={blockedBy} onClick={() => setOpen(true)}>
        Review
      </Button>
      {isOpen && <Review agent={agent} onClose={() => setOpen(false)} />}
    </WarningBand>
  );
}

function Review({ agent, onClose }: { readonly agent: Agent; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { voice_profile: voice, output_template: template } = agent;
  return (
    <Confirm
      title={`Let “${agent.name}” work?`}
      action="Confirm"
      look="primary"
      onClose={onClose}
      onConfirm={async () => {
        const query = { id: agent.id };
        const saved = await call(updateAgent)(query, { needs_review: false });
        client.setQueryData(["agent", agent.id], saved);
        void client.invalidateQueries({ queryKey: ["agents"] });
        showToast(`“${agent.name}” can work now.`);
      }}
    >
      <FactList>
        <FactRow name="Tools">{agent.tools.length === 0 ? "None" : agent.tools.join(", ")}</FactRow>
        <TextRow name="Prompt" text={agent.system_prompt} />
        <TextRow name="Voice" text={voice?.custom_instructions} />
        <TextRow name="Template" text={template?.body} />
        <TextRow name="Config" text={Object.keys(agent.config).length === 0 ? "" : JSON.stringify(agent.config)} />
      </FactList>
    </Confirm>
  );
}

function TextRow({ name, text }: { readonly name: string; readonly text: string | undefined }) {
  return (
    <FactRow name={name}>
      {text !== undefined && text !== "" && (
        <LongText text={text}>{(shown) => <p className="break-words whitespace-pre-wrap">{shown}</p>}</LongText>
      )}
    </FactRow>
  );
}
