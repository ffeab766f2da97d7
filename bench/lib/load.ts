import { Agent, get } from "node:http";

/** What a request looks like. */
export interface LoadRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Over how many connections they are sent, ten by default. */
  readonly atOnce?: number;
}

/** Sends a number of GET requests, each after the previous one on its connection was answered. @throws Error when one is not 200 or 206. */
export async function load({ url, headers, atOnce = 10 }: LoadRequest, requests: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  let left = requests;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await request(url, { agent, headers: { ...headers } });
    }),
  );
  agent.destroy();
}

function request(url: string, options: { agent: Agent; headers: Record<string, string> }): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, options, (response) => {
      const { statusCode } = response;
      if (statusCode !== 200 && statusCode !== 206) reject(new Error(`${url}: ${statusCode}`));
      response.resume();
      response.once("end", resolve);
    }).once("error", reject);
  });
}
