import { WarningIcon } from "../../ui/icon.tsx";
import { ProviderLink } from "../models/provider-link.tsx";
import { useModelFault } from "../models/model-fault.ts";
import type { ModelFault } from "../models/model-fault.ts";
import type { Agent } from "./records.ts";
import { WarningBand } from "../../ui/warning-band.tsx";

const EFFECTS: Readonly<Record<ModelFault["effect"], string>> = {
  none: "Runs of this agent fail.",
  "fallback-only": "Only fallback models answer.",
  "no-fallback": "A fallback model cannot answer.",
};

/** Warns that the agent's model cannot be called, with the way to what is missing. */
export function ModelFaultBanner({ agent }: { readonly agent: Agent }) {
  const fault = useModelFault()(agent);
  if (fault === undefined) return null;
  return (
    <WarningBand>
      <p className="min-w-0 flex-1">
        <span className="font-medium">{EFFECTS[fault.effect]}</span> {fault.label} is not set up in this workspace.
      </p>
      <ProviderLink provider={fault.provider}>Model providers</ProviderLink>
    </WarningBand>
  );
}

/** The model's name; marked when it cannot be called. */
export function ModelName({ agent }: { readonly agent: Agent }) {
  const fault = useModelFault()(agent);
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="truncate" title={agent.model}>
        {agent.model}
      </span>
      {fault !== undefined && (
        <ProviderLink provider={fault.provider} title={`${fault.label} is not set up`} isMark>
          <WarningIcon />
          <span className="sr-only">{`${fault.label} is not set up`}</span>
        </ProviderLink>
      )}
    </span>
  );
}
