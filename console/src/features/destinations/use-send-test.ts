import { useQueryClient } from "@tanstack/react-query";
import { testRoute } from "#client/gen/operations/output-routes.ts";
import { call } from "../../api/client.ts";
import { showFailure } from "../../ui/messages.ts";

/** Returns what sends a route a test. It returns the id of the delivery; undefined when a message has said what failed. */
export function useSendTest(): (routeId: string) => Promise<string | undefined> {
  const client = useQueryClient();
  return async (id) => {
    try {
      const sent = await call(testRoute)({ id });
      await client.invalidateQueries({ queryKey: ["deliveries"] });
      return sent.id;
    } catch (error) {
      showFailure(error);
      return undefined;
    }
  };
}
