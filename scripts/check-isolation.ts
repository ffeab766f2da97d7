// Checks that the process that reads documents has no network here. The checks of the image and of the systemd unit run
// it in their place: what the system allows differs from machine to machine. It exits with 1 when there is a network.
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { once } from "node:events";
import { PERMISSIONS, withoutNetwork } from "../src/lib/extraction/isolation.ts";

const CONNECT = `
  require("node:net").connect(Number(process.argv[1]), "127.0.0.1")
    .on("connect", () => { console.log("connected"); process.exit(); })
    .on("error", ({ code }) => console.log(code));`;

const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("The server has no port.");
const isolation = await withoutNetwork();
const [program, ...args] = [...isolation, process.execPath, ...PERMISSIONS, "-e", CONNECT, String(address.port)];
const { stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
server.close();
const found = stdout.trim();
console.log(`Isolated by ${isolation[0] ?? "nothing"}; a connection of the reader: ${found || stderr}`);
if (!["ENETUNREACH", "EACCES"].includes(found)) process.exitCode = 1;
