// As much of curl as README and the guide use, for machines without it: -s, -i, -T file, -r range, -X method, -H header, --json, and an address.
import { readFileSync } from "node:fs";

const init = { method: "GET", headers: {} };
let address = "";
let showHead = false;
for (let args = process.argv.slice(2); args.length > 0; ) {
  const flag = args.shift();
  if (flag === "-T") Object.assign(init, { method: "PUT", body: readFileSync(args.shift()) });
  else if (flag === "-r") init.headers.Range = `bytes=${args.shift()}`;
  else if (flag === "-X") init.method = args.shift();
  else if (flag === "-H") {
    const [name, value] = args.shift().split(/:\s*/, 2);
    init.headers[name] = value;
  } else if (flag === "--json") {
    Object.assign(init, { method: "POST", body: args.shift() });
    init.headers["Content-Type"] = "application/json";
  } else if (flag === "-i") showHead = true;
  else if (flag !== "-s") address = flag;
}
const response = await fetch(address, init);
if (showHead) process.stdout.write(`HTTP/1.1 ${response.status} ${response.statusText}\r\n\r\n`);
process.stdout.write(await response.text());
