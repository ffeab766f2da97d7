import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { BILLING_MODELS } from "#domain/models/model-call.ts";
import {
  deleteProviderKey,
  listProviderKeys,
  providerKeyInput,
  providerTestInput,
  saveProviderKey,
  testProviderKey,
} from "#operations/access/provider-keys.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { respondValue } from "../shape/respond.ts";
import type { Endpoint } from "../shape/endpoint.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { readBody } from "../../middleware/read-body.ts";

const providerParam = z.object({ provider: z.string() });

const providerKeyRecord = z
  .strictObject({
    provider: z.string(),
    last4: z.string().nullable(),
    base_url: z.string().nullable(),
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
  addPath(api, "/console/api/provider-keys", { tag: "Models", endpoints: collection() });
  addPath(api, "/console/api/provider-keys/{provider}", { tag: "Models", endpoints: single() });

  addPath(api, "/console/api/provider-keys/{provider}/test", { tag: "Models", endpoints: testEndpoint() });
}

function collection(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "listProviderKeys",
      summary: "List the workspace's model providers; keys are never shown",
      success: { status: 200, schema: z.array(providerKeyRecord) },
      handle: list,
    },
  ];
}

function single(): Endpoint[] {
  return [
    {
      method: "put",
      operationId: "saveProviderKey",
      needs: "admin",
      summary: "Store or replace the key or base URL of a model provider",
      params: providerParam,
      body: providerKeyInput,
      success: { status: 200, schema: providerKeyRecord },
      handle: save,
    },
    {
      method: "delete",
      operationId: "deleteProviderKey",
      needs: "admin",
      summary: "Delete a model provider's key",
      params: providerParam,
      success: { status: 204 },
      handle: remove,
    },
  ];
}

function testEndpoint(): Endpoint[] {
  return [
    {
      method: "post",
      operationId: "testProviderKey",
      needs: "admin",
      summary: "Test a model provider by one call, with the stored or a given key",
      params: providerParam,
      body: providerTestInput,
      success: { status: 200, schema: testResult },
      prepare: test,
    },
  ];
}

async function test(c: HttpContext, services: HttpServices): Promise<() => Response> {
  const input = await readBody(c, providerTestInput);
  const { provider } = providerParam.parse(c.req.param());
  const who = c.get("principal");
  const { passes, allowed, retryAfter } = await services.limits.takeProviderTest(who);
  if (!passes) {
    const message = `The workspace has used all ${allowed} tests for this minute. Try again in ${retryAfter} s.`;
    throw new AppError("rate_limit_exceeded", message, { headers: { "Retry-After": String(retryAfter) } });
  }
  const signal = c.req.raw.signal;
  const { ok, latencyMs, message } = await testProviderKey(services, who, { provider, input, signal });
  return () => respondValue(c, { ok, latency_ms: latencyMs, message });
}

async function list(c: HttpContext, services: HttpServices): Promise<Response> {
  return respondValue(c, await listProviderKeys(services, c.get("principal")));
}

async function save(c: HttpContext, services: HttpServices): Promise<Response> {
  const input = await readBody(c, providerKeyInput);
  const { provider } = providerParam.parse(c.req.param());
  return respondValue(c, await saveProviderKey(services, c.get("principal"), { provider, input }));
}

async function remove(c: HttpContext, services: HttpServices): Promise<Response> {
  await deleteProviderKey(services, c.get("principal"), providerParam.parse(c.req.param()).provider);
  return c.body(null, 204);
}
