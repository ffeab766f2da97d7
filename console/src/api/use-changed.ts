import { useQueryClient } from "@tanstack/react-query";

/** Gives what is called after a change: all that is shown of records of these kinds is read again. */
export function useChanged(...keys: readonly string[]): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })));
  };
}
