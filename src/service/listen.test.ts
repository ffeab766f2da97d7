import { expect } from "vitest";
import { readConfig } from "#config/config.ts";
import { verifies } from "../../test/support/verifies.ts";
import { explainListenError, listenOn } from "./listen.ts";

const respond = () => new Response();

verifies(
  "operations.start.address",
  "a port in use and a host of another machine are named with their settings",
  async () => {
    const config = readConfig({ PORT: "0" });
    const { port, drain } = await listenOn(respond, config);
    await expect(listenOn(respond, { ...config, PORT: port })).rejects.toThrow(
      `127.0.0.1:${port} is already in use. Set PORT to a free port.`,
    );
    await drain(0);
    await expect(listenOn(respond, { ...config, HOST: "192.0.2.1" })).rejects.toThrow(
      "HOST: this machine has no address 192.0.2.1. Set it to 127.0.0.1 (this machine only), 0.0.0.0",
    );
    const forbidden = Object.assign(new Error("listen EACCES"), { code: "EACCES" });
    expect(explainListenError(forbidden, "127.0.0.1", 80, "OPS_").message).toMatch(
      /^This user may not listen on port 80\. Set OPS_PORT to one above 1023/,
    );
  },
);
