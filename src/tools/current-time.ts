import { z } from "zod";
import { defineTool } from "./define-tool.ts";

/** Gives an agent the current time. */
export default defineTool({
  name: "current_time",
  description: "Returns the current date and time in ISO 8601, in a time zone of your choice (default UTC).",
  input: z.strictObject({
    time_zone: z.string().default("UTC").describe("An IANA time zone such as Europe/Berlin."),
  }),
  async execute({ time_zone }) {
    const now = new Date();
    const local = now.toLocaleString("sv-SE", { timeZone: time_zone, timeZoneName: "longOffset" });
    return `${local} (${time_zone}); in UTC ${now.toISOString()}`;
  },
});
