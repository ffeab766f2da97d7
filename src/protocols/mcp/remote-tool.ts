import { z } from "zod";

/** An MCP server's tool as the server describes it; servers differ in how strictly they follow the specification. */
export const remoteTool = z.looseObject({
  name: z.string().min(1).max(200),
  title: z.string().nullish(),
  description: z.string().nullish(),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z.record(z.string(), z.unknown()).nullish(),
  execution: z.looseObject({ taskSupport: z.string().nullish() }).nullish(),
});

/** The tool of an MCP server. */
export type RemoteTool = z.output<typeof remoteTool>;
