/** A receiver of deliveries in its own process: it replies 200 immediately, but never to the path `/hang`. */
import { createServer } from "node:http";

const server = createServer((request, response) => {
  request.resume();
  if (request.url !== "/hang") request.once("end", () => response.writeHead(200).end("ok"));
});
server.listen(0, () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit(0));
