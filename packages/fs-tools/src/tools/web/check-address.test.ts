/** Addresses in every spelling, and names by their resolved addresses. */
import { describe, expect, it } from "vitest";
import { checkAddress } from "./check-address.ts";

const PUBLIC = "93.184.216.34";
const resolve = async () => [PUBLIC];

const REFUSED = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://127.0.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.0.0.1/",
  "http://0177.0.0.1/",
  "http://017700000001/",
  "http://127.0.0.1./",
  "http://0/",
  "http://0.0.0.0/",
  "http://0x0/",
  "http://localhost/",
  "http://LOCALHOST/",
  "http://localhost./",
  "http://foo.localhost/",
  "http://localhost.localdomain/",
  "http://ip6-localhost/",
  "http://[::1]/",
  "http://[::]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[::127.0.0.1]/",
  "http://[::ffff:0:127.0.0.1]/",
  "http://[64:ff9b::127.0.0.1]/",
  "http://[64:ff9b:1::1]/",
  "http://[2002:7f00:1::]/",
  "http://[2001::1]/",
  "http://[2001:db8::1]/",
  "http://[fc00::1]/",
  "http://[fd00:ec2::254]/",
  "http://[fe80::1]/",
  "http://[fec0::1]/",
  "http://[ff02::1]/",
  "http://[100::1]/",
  "http://[4000::1]/",
  "http://10.0.0.1/",
  "http://10.255.255.255/",
  "http://012.0.0.1/",
  "http://0xa000001/",
  "http://167772161/",
  "http://172.16.0.1/",
  "http://172.31.255.255/",
  "http://192.168.0.1/",
  "http://192.168.1/",
  "http://3232235521/",
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://0251.0376.0251.0376/",
  "http://[::ffff:169.254.169.254]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://100.100.100.200/",
  "http://168.63.129.16/",
  "http://192.0.0.192/",
  "http://100.64.0.1/",
  "http://198.18.0.1/",
  "http://192.0.2.1/",
  "http://198.51.100.1/",
  "http://203.0.113.1/",
  "http://224.0.0.1/",
  "http://240.0.0.1/",
  "http://255.255.255.255/",
  "http://metadata.google.internal/",
  "http://printer.local/",
  "http://router.lan/",
  "http://intranet/",
  "http://kubernetes.default.svc.cluster.local/",
  "http://user:pass@example.com/",
  "http://user@example.com/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "gopher://example.com/",
  "data:text/plain,x",
  "javascript:alert(1)",
  "blob:https://example.com/x",
  "http://１２７.０.０.１/",
  "http://①②⑦.⓪.⓪.①/",
  "http://127。0。0。1/",
];

describe("checkAddress", () => {
  it("has at least 60 addresses to hold against", () => expect(REFUSED.length).toBeGreaterThanOrEqual(60));

  it.each(REFUSED)("refuses %s", async (url) => {
    await expect(checkAddress(url, { resolve })).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
  });

  it.each([
    "http://example.com/",
    "https://8.8.8.8/",
    "http://[2606:4700::1111]/",
    "https://172.32.0.1/",
    "http://172.15.0.1/",
    "https://192.169.0.1/",
    "http://a..b.example.com.../x",
  ])("lets %s pass", async (url) => {
    if (!URL.canParse(url)) return;
    expect((await checkAddress(url, { resolve })).href).toContain("://");
  });

  it.each([
    ["127.0.0.1"],
    ["10.1.2.3"],
    ["169.254.169.254"],
    ["::1"],
    ["::ffff:10.0.0.1"],
    ["fd00::1"],
    [PUBLIC, "192.168.0.1"],
    ["not an address"],
  ])("refuses a name that resolves to %j", async (...answers) => {
    await expect(checkAddress("http://evil.example/", { resolve: async () => answers })).rejects.toMatchObject({
      code: "ADDRESS_REFUSED",
    });
  });

  it("says when a name does not resolve", async () => {
    await expect(checkAddress("http://a.example/", { resolve: async () => [] })).rejects.toMatchObject({
      code: "FETCH_FAILED",
    });
    const broken = async () => Promise.reject(new Error("down"));
    await expect(checkAddress("http://a.example/", { resolve: broken })).rejects.toMatchObject({
      code: "FETCH_FAILED",
    });
  });

  it("opens loopback alone with allowLocalFetch", async () => {
    const policy = { resolve, allowLocalFetch: true };
    for (const url of ["http://127.0.0.1:8080/", "http://localhost:3000/", "http://[::1]/"])
      expect((await checkAddress(url, policy)).href).toBe(url);
    for (const url of [
      "http://10.0.0.1/",
      "http://169.254.169.254/",
      "http://[::ffff:192.168.0.1]/",
      "http://0.0.0.0/",
    ])
      await expect(checkAddress(url, policy)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    await expect(
      checkAddress("http://evil.example/", { ...policy, resolve: async () => ["127.0.0.1"] }),
    ).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
  });
});
