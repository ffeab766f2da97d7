import { addPushDevice } from "#client/gen/operations/accounts.ts";
import { call } from "../../api/client.ts";
import { trustedScript } from "../../lib/trusted-script.ts";

/** Why this browser cannot show notifications, as a sentence that says what to do; undefined when it can. */
export function pushProblem(): string | undefined {
  if (!isSecureContext) {
    return "Browsers show notifications of https pages only. Ask the operator to serve the console by https.";
  }
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    if (/iPhone|iPad/.test(navigator.userAgent)) {
      return "On an iPhone or iPad, first tap Share, then Add to Home Screen, and open the console from there.";
    }
    return "This browser can't show notifications. Use another one.";
  }
  if (Notification.permission === "denied") {
    return "This browser blocks notifications of this page. Allow them in the browser's settings for this site, then reload.";
  }
  return undefined;
}

/**
 * Asks the person and the browser's push service, and has notifications sent to this browser.
 * @param publicKey that of the service
 * @throws Error with a message for the person
 */
export async function turnOnPush(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error("Notifications were not allowed. Try again, and allow them when the browser asks.");
  }
  await navigator.serviceWorker.register(trustedScript("/service-worker.js"), { scope: "/" });
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await subscribe(pushManager, publicKey);
  const { endpoint = "", keys = {} } = subscription.toJSON();
  await call(addPushDevice)({ endpoint, keys: { p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "" } });
}

/** Ends the subscription of this browser, if it has one. */
export async function turnOffPush(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration("/");
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

async function subscribe(manager: PushManager, publicKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    // A subscription for another key, such as that of a service before at this address.
    await (await manager.getSubscription())?.unsubscribe();
    try {
      return await manager.subscribe(options);
    } catch {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`This browser can't reach its push service, which brings notifications: ${reason}`, {
        cause: error,
      });
    }
  }
}
