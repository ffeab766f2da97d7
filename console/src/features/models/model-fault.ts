import { useModels } from "./queries.ts";
import { servingProvider } from "./serving-provider.ts";

/** A model provider that the workspace has no key or URL for. */
export interface ModelFault {
  /** Its id, as in the URL of its key. */
  readonly provider: string;
  /** What people call it. */
  readonly label: string;
  /** What follows: no model of the agent can be called, only fallback models, or all but some fallback models. */
  readonly effect: "none" | "fallback-only" | "no-fallback";
}

/** The models of an agent. */
interface AgentModels {
  readonly provider: string;
  readonly fallback_models: readonly string[];
}

/** Why an agent's models cannot be called; undefined when they can, and until that is known. */
export function useModelFault(): (agent: AgentModels) => ModelFault | undefined {
  const { data } = useModels();
  const unusable = (id: string | undefined) =>
    data?.providers.find((provider) => provider.id === id && !provider.usable);
  return ({ provider, fallback_models: fallbacks }) => {
    const first = unusable(provider);
    const others = fallbacks.map((id) => unusable(data && servingProvider(data, id, provider)));
    const found = first ?? others.find((other) => other !== undefined);
    if (found === undefined) return undefined;
    const effect = first === undefined ? "no-fallback" : others.includes(undefined) ? "fallback-only" : "none";
    return { provider: found.id, label: found.label, effect };
  };
}
