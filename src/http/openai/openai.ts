import { Hono } from "hono";
import { listModels, resolveModel } from "#operations/conversations/runnable-models.ts";
import type { HttpEnv, HttpServices } from "../context.ts";
import { openAiCaller } from "./caller.ts";
import { addChatCompletions } from "./chat-completions.ts";
import { addResponses } from "./responses.ts";
import type { ListedModel, ModelName } from "#domain/models/runnable-model.ts";

/** The path of the base URL for OpenAI clients. */
export const OPENAI_ROOT = "/v1";

/**
 * OpenAI's API with the agents and teams of a workspace as models (https://platform.openai.com/docs/api-reference):
 * Models, Chat Completions and Responses. Each reply is a task.
 */
export function openAi(services: HttpServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/models", async (c) => {
    const { workspace } = await openAiCaller(services, c, "read");
    const models = await listModels(workspace);
    return c.json({ object: "list", data: models.map(describe) });
  });
  app.get("/models/:model", async (c) => {
    const { workspace } = await openAiCaller(services, c, "read");
    return c.json(describe(await resolveModel(workspace, c.req.param("model"))));
  });
  addChatCompletions(app, services);
  addResponses(app, services);
  return app;
}

function describe({ model, kind, created }: ListedModel & ModelName) {
  return { id: model, object: "model", created, owned_by: kind };
}
