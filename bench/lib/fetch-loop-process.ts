/** The least that deliveries can cost: a loop of `fetch` that posts the same body again and again. */
import { fetch } from "undici";
import { z } from "zod";

const order = z.object({ url: z.string(), body: z.string(), requests: z.int(), atOnce: z.int() });

process.once("message", (message) => {
  void (async () => {
    const { url, body, requests, atOnce } = order.parse(message);
    const begun = performance.now();
    const before = process.cpuUsage();
    let left = requests;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (left-- > 0) {
          const headers = { "content-type": "application/json" };
          const response = await fetch(url, { method: "POST", headers, body });
          await response.text();
        }
      }),
    );
    const { user, system } = process.cpuUsage(before);
    process.send?.({ seconds: (performance.now() - begun) / 1_000, cpuMs: (user + system) / 1_000 });
    process.disconnect();
  })();
});
