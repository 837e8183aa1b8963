// As much of curl as README uses, for machines without it: -s, -T file, -r range, -X method, and an address.
import { readFileSync } from "node:fs";

const init = { method: "GET", headers: {} };
let address = "";
for (let args = process.argv.slice(2); args.length > 0; ) {
  const flag = args.shift();
  if (flag === "-T") Object.assign(init, { method: "PUT", body: readFileSync(args.shift()) });
  else if (flag === "-r") init.headers.Range = `bytes=${args.shift()}`;
  else if (flag === "-X") init.method = args.shift();
  else if (flag !== "-s") address = flag;
}
process.stdout.write(await (await fetch(address, init)).text());
