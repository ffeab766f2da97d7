import { useModels } from "./queries.ts";

/** A model provider that the workspace has no key or address for. */
export interface ModelFault {
  /** Its id, as in the address of its key. */
  readonly provider: string;
  /** What people call it. */
  readonly label: string;
}

/** Says of an agent whether its model can be called; undefined when it can, and until that is known. */
export function useModelFault(): (agent: { readonly provider: string }) => ModelFault | undefined {
  const { data } = useModels();
  return ({ provider }) => {
    const found = data?.providers.find(({ id }) => id === provider);
    if (found === undefined || found.usable) return undefined;
    return { provider, label: found.label };
  };
}
