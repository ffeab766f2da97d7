import { SubmitButton } from "../../../ui/form.tsx";
import { useGoldenGate } from "./queries.ts";

/** Sends the form of an agent that has a gate, to try its changes on the golden cases. @param props.name marks its data */
export default function TryButton({ agentId, name }: { readonly agentId: string; readonly name: string }) {
  const gate = useGoldenGate(agentId).data;
  if (gate === undefined || gate.required === "none") return null;
  return (
    <SubmitButton look="plain" name={name} value="yes" className="max-sm:basis-full">
      Try on golden cases
    </SubmitButton>
  );
}
