import { z } from "zod";

/** The orders to the host of services. */
export const hostOrder = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), id: z.string(), env: z.record(z.string(), z.string()) }),
  z.object({ type: z.literal("stop"), id: z.string() }),
]);
export type HostOrder = z.output<typeof hostOrder>;

/** What the host of services reports; the id is the service's. */
export const hostReport = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), id: z.string(), url: z.string() }),
  z.object({ type: z.literal("failed"), id: z.string(), message: z.string() }),
  z.object({ type: z.literal("stopped"), id: z.string() }),
  z.object({ type: z.literal("written"), id: z.string(), stream: z.enum(["stdout", "stderr"]), text: z.string() }),
]);
export type HostReport = z.output<typeof hostReport>;
