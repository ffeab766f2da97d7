import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

/** A scene whose open streams can be counted. */
export interface LiveScene extends Scene {
  /** Waits until the service has this number of open streams. */
  hasStreams(count: number): Promise<void>;
}

/** Starts a service that counts its streams. */
export async function openLiveScene(): Promise<LiveScene> {
  const port = await freePort();
  const scene = await openScene({ env: { OPS_PORT: String(port) } });
  return {
    ...scene,
    async hasStreams(count) {
      await eventually(`${count} streams are open`, async () => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        return new RegExp(`^muster_open_streams(\\{[^}]*\\})? ${count}$`, "m").test(text);
      });
    },
  };
}

/** Simulates that the person switches to another tab, or back. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));`);
}
