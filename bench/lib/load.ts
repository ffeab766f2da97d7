import { Agent, get } from "node:http";

const CONNECTIONS = 10;

/** What a request looks like. */
export interface LoadRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends so many GET requests over ten connections and reads the answers. @throws Error when one is not 200 or 206. */
export async function load({ url, headers }: LoadRequest, requests: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let left = requests;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
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
