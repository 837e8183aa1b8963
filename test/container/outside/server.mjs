// An external host: gives its name over HTTP, HTTPS, HTTP on another port and a raw connection, and redirects on request.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createBareServer } from "node:net";

const [who] = process.argv.slice(2);
const tls = { key: readFileSync("/outside/key.pem"), cert: readFileSync("/outside/cert.pem") };
const answer = (scheme) => (request, response) => {
  const to = new URL(request.url, "http://here").searchParams.get("to");
  if (to !== null) return response.writeHead(302, { location: to }).end();
  response.end(`${who} over ${scheme}`);
};
createServer(answer("http")).listen(80);
createServer(answer("http on another port")).listen(8080);
createSecureServer(tls, answer("https")).listen(443);
createBareServer((socket) => socket.on("error", () => {}).end(`${who} itself`)).listen(9999);
