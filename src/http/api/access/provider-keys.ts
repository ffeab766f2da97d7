import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { OPENAI_APIS } from "#domain/models/connection-fields.ts";
import { BILLING_MODELS } from "#domain/models/model-call.ts";
import {
  deleteProviderKey,
  listProviderKeys,
  providerKeyInput,
  providerTestInput,
  saveProviderKey,
  testProviderKey,
} from "#operations/access/provider-keys.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const providerParam = z.object({ provider: z.string() });

const providerKeyRecord = z
  .strictObject({
    provider: z.string(),
    last4: z.string().nullable(),
    base_url: z.string().nullable(),
    resource: z.string().nullable(),
    region: z.string().nullable(),
    project: z.string().nullable(),
    api: z.enum(OPENAI_APIS).nullable().describe("As given or found; null: Responses, until a call finds none."),
    billing_model: z.enum(BILLING_MODELS),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "ProviderKey" });

const testResult = z
  .strictObject({
    ok: z.boolean(),
    latency_ms: z.int(),
    message: z.string().describe("The provider's message, or what is missing."),
  })
  .meta({ id: "ProviderTest" });

/** Adds /console/api/provider-keys: the workspace's keys for model providers. */
export default function addProviderKeys(api: Api): void {
  addPath(api, "/console/api/provider-keys", { tag: "Models", endpoints: [list] });
  addPath(api, "/console/api/provider-keys/{provider}", { tag: "Models", endpoints: [save, remove] });

  addPath(api, "/console/api/provider-keys/{provider}/test", { tag: "Models", endpoints: [test] });
}

const list = endpoint({
  method: "get",
  operationId: "listProviderKeys",
  summary: "List the workspace's model providers; keys are never shown",
  success: { status: 200, schema: z.array(providerKeyRecord) },
  handle: async ({ c, workspace }) => respondValue(c, await listProviderKeys(workspace)),
});

const save = endpoint({
  method: "put",
  operationId: "saveProviderKey",
  needs: "admin",
  summary: "Store or replace the key or base URL of a model provider",
  params: providerParam,
  body: providerKeyInput,
  success: { status: 200, schema: providerKeyRecord },
  async handle({ c, workspace, params, body }) {
    const { provider } = params;
    return respondValue(c, await saveProviderKey(workspace, { provider, input: body }));
  },
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteProviderKey",
  needs: "admin",
  summary: "Delete a model provider's key",
  params: providerParam,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteProviderKey(workspace, params.provider),
});

const test = endpoint({
  method: "post",
  operationId: "testProviderKey",
  needs: "admin",
  summary: "Test a model provider by one call, with the stored or a given key",
  params: providerParam,
  body: providerTestInput,
  success: { status: 200, schema: testResult },
  async prepare({ c, workspace, params, body }) {
    const { provider } = params;
    const { passes, allowed, retryAfter } = await workspace.limits.takeProviderTest(workspace.who);
    if (!passes) {
      const message = `The workspace has used all ${allowed} tests for this minute. Try again in ${retryAfter} s.`;
      throw new AppError("rate_limit_exceeded", message, { headers: { "Retry-After": String(retryAfter) } });
    }
    const signal = c.req.raw.signal;
    const { ok, latencyMs, message } = await testProviderKey(workspace, { provider, input: body, signal });
    return () => respondValue(c, { ok, latency_ms: latencyMs, message });
  },
});
