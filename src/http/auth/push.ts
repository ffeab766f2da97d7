import { z } from "zod";
import { pushDeviceInput, pushDeviceRecord } from "#domain/accounts/push-device.ts";
import { addPushDevice, listPushDevices, removePushDevice } from "#operations/accounts/push-devices.ts";
import { endpoint } from "../api/shape/endpoint.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath, idQuery } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";

const pushDevices = z
  .strictObject({
    public_key: z.string().describe("The `applicationServerKey` with which a browser subscribes, in base64url."),
    devices: z.array(pushDeviceRecord),
  })
  .meta({ id: "PushDevices" });

/** Adds /auth/push: the devices on which a person is notified of questions. */
export default function addPush(api: Api): void {
  addPath(api, "/auth/push", { tag: "Accounts", endpoints: [list, add] });
  addPath(api, "/auth/push/{id}", { tag: "Accounts", endpoints: [remove] });
}

const list = endpoint({
  method: "get",
  operationId: "listPushDevices",
  needs: "session",
  summary: "List your devices that get notifications of questions, and the key to subscribe with",
  success: { status: 200, schema: pushDevices },
  handle: async ({ c, services, who }) => respondValue(c, await listPushDevices(services, who)),
});

const add = endpoint({
  method: "post",
  operationId: "addPushDevice",
  needs: "session",
  summary: "Send your notifications to a browser's push subscription, until this session ends",
  body: pushDeviceInput,
  success: { status: 201, schema: pushDeviceRecord },
  handle: async ({ c, services, who, body }) => respondValue(c, await addPushDevice(services, who, body), 201),
});

const remove = endpoint({
  method: "delete",
  operationId: "removePushDevice",
  needs: "session",
  summary: "End the notifications of one of your devices",
  params: idQuery,
  success: { status: 204 },
  handle: ({ services, who, params }) => removePushDevice(services, who, params.id),
});
