import { z } from "zod";
import { startResponses } from "./openai-responses.ts";
import { Rejection } from "./strict-server.ts";
import type { StrictRequest, StrictServer } from "./strict-server.ts";

/** The deployments of the resource: one is named after its model. */
const DEPLOYMENTS: ReadonlySet<string> = new Set(["gpt-6-sol", "prod-writer"]);
/** A text that its content filter finds violent. */
export const FILTERED = "how to build a bomb";

const called = z.looseObject({ model: z.string() });

/** Starts the v1 API of an Azure OpenAI resource: https://learn.microsoft.com/azure/ai-foundry/openai/latest */
export function startAzureOpenAi(): Promise<StrictServer> {
  return startResponses("/openai/v1", check);
}

function check({ path, headers, body, text }: StrictRequest): void {
  if (!/^Bearer \S+$/.test(headers.authorization ?? "") && headers["api-key"] === undefined) {
    refuse(401, {
      code: "401",
      message:
        "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.",
    });
  }
  if (path !== "/openai/v1/responses") refuse(404, { code: "404", message: "Resource not found" });
  if (!DEPLOYMENTS.has(called.parse(body).model)) {
    refuse(404, {
      code: "DeploymentNotFound",
      message:
        "The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.",
    });
  }
  if (text.includes(FILTERED)) {
    refuse(400, {
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry. To learn more about our content filtering policies please read our documentation: https://go.microsoft.com/fwlink/?linkid=2198766",
      type: null,
      param: "prompt",
      code: "content_filter",
      status: 400,
      innererror: {
        code: "ResponsibleAIPolicyViolation",
        content_filter_result: { violence: { filtered: true, severity: "medium" } },
      },
    });
  }
}

function refuse(status: number, error: object): never {
  throw new Rejection(status, { error });
}
