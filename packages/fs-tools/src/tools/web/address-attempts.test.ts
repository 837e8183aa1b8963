/** Attempts to reach an address inside a network: spellings that `URL` and resolvers read in unusual ways, and chains of redirects. */
import { describe, expect, it } from "vitest";
import { checkAddress, dnsOverHttps } from "./check-address.ts";
import { fetchPage } from "./fetch-page.ts";
import { searchWeb } from "./search-web.ts";

const PUBLIC = "93.184.216.34";
const resolve = async () => [PUBLIC];
const LIMITS = { bytes: 1000, textBytes: 500, timeoutMs: 60_000, redirects: 5 };

const INVISIBLE = ["\u200b", "\u200d", "\u2060", "\u00ad", "\ufeff", "\u034f", "\ufe0f"];

const SPELLINGS = [
  // Octal, hexadecimal, short, long and overflowing numbers.
  ...["0x7f.1", "0X7F.0X0.0X0.0X1", "127.0.0.0x1", "127.00000000000000000000.1", "127.65535.1", "127.16777215", "0x"],
  ...["00000000000000000000000000177.1", "0x0000000000000000000000007f000001", "4294967295", "4294967296", "0x."],
  ...["256.0.0.1", "127.0.0.256", "127.0.0.1.1", "1.2.3.4.5", "127.0.0.08", "0.0.0.0x", "0300.0250.1", "0xc0a80101"],
  ...[
    "a.b.0x7f",
    "a.1",
    "a.b.127",
    "a.b.127.",
    "a.0x",
    "012.012.012.012",
    "0xA9FEA9FE",
    "025177524776",
    "169.16689662",
  ],
  // Dots at the end, and other dots.
  ...["127.0.0.1..", "127.0.0.1...", "a.localhost..", "localhost.localdomain.", "x.lan.", "x.onion.", "2130706433."],
  ...["127．0．0．1", "169｡254｡169｡254", "metadata。google。internal", "LOCALHOST。", "localhost｡｡"],
  // Digits and letters that IDNA maps to ASCII.
  ...[
    "ｌｏｃａｌｈｏｓｔ",
    "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "𝐥𝐨𝐜𝐚𝐥𝐡𝐨𝐬𝐭",
    "localhoſt",
    "𝟏𝟐𝟕.0.0.1",
    "¹²⁷.0.0.1",
    "0ˣ7f000001",
    "１６９.254.169.２５４",
  ],
  ...["٠.0.0.0", "xn--localhost-", "xn--127-0", "%6c%6f%63%61%6c%68%6f%73%74", "127%2e0%2e0%2e1", "%31%32%37.0.0.1"],
  ...INVISIBLE.flatMap((char) => [`127${char}.0.0.1`, `local${char}host`]),
  // What stands before, behind or inside the host.
  ...["127.0.0.1\\@example.com", "example.com@127.0.0.1", "example.com:80@127.0.0.1", "example.com%40127.0.0.1"],
  ...["127.0.0.1%2f@example.com", "127.0.0.1#@example.com", "127.0.0.1?@example.com", "127.0.0.1:80:80", "127.0.\t0.1"],
  ...[
    "127.0.0.1\0",
    "localhost%00.example.com",
    "127.1.1.1%00.example.com",
    "/127.0.0.1",
    "\\127.0.0.1",
    ":x@example.com",
  ],
  // IPv6 and the IPv4 addresses in it.
  ...["[::FFFF:7F00:0001]", "[0:0:0:0:0:ffff:7f00:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::7f00:1]"],
  ...[
    "[::ffff:0:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b::10.0.0.1]",
    "[64:ff9b:0:0:0:1:a00:1]",
  ],
  ...["[64:ff9b:1:ffff::a9fe:a9fe]", "[2002:a00:1::1]", "[2002:a9fe:a9fe::]", "[2002:c0a8:101::c0a8:101]", "[5f00::1]"],
  ...[
    "[2001:0:7f00:1::]",
    "[2001:10::1]",
    "[2001:20::1]",
    "[3fff::1]",
    "[fd20:ce::254]",
    "[fe80::a9fe:a9fe]",
    "[febf::1]",
  ],
  ...["[fe80::1%25eth0]", "[::1%2525lo]", "[::1].example.com", "[127.0.0.1]", "[v1.127]", "[ff05::1:3]", "[::%31]"],
  ...["[2606:4700::5efe:a00:1]", "[2606:4700:0:0:200:5efe:a9fe:a9fe]", "[2606:4700::5efe:127.0.0.1]"],
  // Names of local networks and of metadata services.
  ...[
    "metadata",
    "instance-data",
    "instance-data.ec2.internal",
    "METADATA.GOOGLE.INTERNAL",
    "metadata.google.internal.",
  ],
  ...[
    "host.docker.internal:2375",
    "gateway.docker.internal",
    "router",
    "wpad",
    "_",
    "1.1.1.in-addr.arpa",
    "x.home.arpa",
  ],
].map((host) => `http://${host}/`);

const OTHER = [
  ...["http:127.0.0.1", "http:/127.0.0.1/", "http:///127.0.0.1/", "http:\\\\127.0.0.1\\", "\thttp://127.0.0.1/"],
  ...["ht\ntp://127.0.0.1/", "HTTPS://@127.0.0.1/", "ws://127.0.0.1/", "wss://example.com/", "dict://127.0.0.1:11211/"],
  ...[
    "view-source:http://127.0.0.1/",
    "jar:http://127.0.0.1!/",
    "ldap://127.0.0.1/",
    "about:blank",
    "127.0.0.1",
    "//x.y/",
  ],
  ...[
    "filesystem:http://127.0.0.1/",
    "blob:http://127.0.0.1/x",
    "data:text/html,x",
    "http://example.com:65536/",
    "http://",
  ],
];

it.each([...SPELLINGS, ...OTHER])("checkAddress refuses the attempt %j", async (url) => {
  await expect(checkAddress(url, { resolve })).rejects.toMatchObject({
    code: expect.stringMatching(/^(ADDRESS_REFUSED|INVALID_INPUT)$/),
  });
});

describe("checkAddress refuses a name with one bad answer among good ones", () => {
  it.each([
    ...[
      "012.0.0.1",
      "0177.0.0.1",
      "127.1",
      "0x7f000001",
      "2130706433",
      "::1%lo",
      "[::1]",
      "::ffff:012.1.1.1",
      "10.0.0.1 ",
    ],
    ...["", "fe80::1%1", "::ffff:a00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2606:4700::5efe:10.0.0.1", "localhost"],
    ...["93.184.216.034", "::ffff:0:10.0.0.1", "FD00::1", "1.2.3", "1.2.3.4.5", "::12345", "1::2::3", "\u0661.0.0.1"],
  ])("%j", async (bad) => {
    for (const answers of [[bad], [PUBLIC, bad], [bad, PUBLIC], ["2606:4700::1111", PUBLIC, bad]])
      await expect(checkAddress("http://evil.example/", { resolve: async () => answers })).rejects.toMatchObject({
        code: "ADDRESS_REFUSED",
      });
  });
});

describe("fetchPage refuses the last of several redirects before it sends a request", () => {
  it.each([
    ...[
      "http://127.0.0.1/",
      "//127.0.0.1/",
      "\\\\127.0.0.1\\",
      "http:\\\\10.0.0.1",
      "https://[::ffff:a9fe:a9fe]/",
      "/\\[::1]/",
    ],
    ...[
      "http://2852039166/",
      "http://user:pass@c.example/",
      "https://c.example@169.254.169.254/",
      "file:///etc/passwd",
    ],
    ...["data:text/html,<p>x", "javascript:alert(1)", "ftp://c.example/", "ws://c.example/", "http://localhost:8787/"],
    ...[
      "http://metadata.google.internal/computeMetadata/v1/",
      "http://private.example/",
      " \thttp://127.1/ ",
      "gopher://x.y/",
    ],
  ])("%j", async (last) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const requested: { url: string; headers: Headers }[] = [];
      const next: Record<string, string> = { "http://a.example/": "https://b.example/x", "https://b.example/x": "/y" };
      const fetcher = (async (input: RequestInfo | URL, init?: RequestInit) => {
        requested.push({ url: String(input), headers: new Headers(init?.headers) });
        expect(init?.redirect).toBe("manual");
        const headers = {
          location: next[String(input)] ?? last,
          "set-cookie": "session=secret",
          "www-authenticate": "Basic realm=x",
        };
        return new Response(null, { status, headers });
      }) as typeof fetch;
      const answers = async (name: string) => [name === "private.example" ? "10.1.2.3" : PUBLIC];
      await expect(fetchPage("http://a.example/", { fetch: fetcher, resolve: answers }, LIMITS)).rejects.toMatchObject({
        code: "ADDRESS_REFUSED",
      });
      expect(requested.map(({ url }) => url)).toEqual([
        "http://a.example/",
        "https://b.example/x",
        "https://b.example/y",
      ]);
      for (const { headers } of requested) expect([...headers.keys()].sort()).toEqual(["accept", "user-agent"]);
    }
  });
});

it("searchWeb follows no redirect, which would take its key to another host", async () => {
  const requested: string[] = [];
  const keys = { tavily: "TAVILY-KEY", brave: "BRAVE-KEY" };
  const fetcher = (async (input: RequestInfo | URL, init?: RequestInit) => {
    requested.push(new URL(String(input)).hostname);
    if (init?.redirect !== "manual") requested.push("evil.example");
    return new Response(null, { status: 307, headers: { location: "http://evil.example/" } });
  }) as typeof fetch;
  for (const provider of ["tavily", "brave", "duckduckgo"] as const)
    await expect(searchWeb("!g x", 5, provider, { fetch: fetcher, keys })).rejects.toMatchObject({
      code: "FETCH_FAILED",
    });
  expect(requested).not.toContain("evil.example");
});

it("dnsOverHttps follows no redirect, and a name whose query is redirected is not fetched", async () => {
  const requested: string[] = [];
  const fetcher = (async (input: RequestInfo | URL, init?: RequestInit) => {
    requested.push(new URL(String(input)).hostname);
    if (init?.redirect !== "manual") return Response.json({ Answer: [{ type: 1, data: PUBLIC }] });
    return new Response(null, { status: 302, headers: { location: "http://evil.example/" } });
  }) as typeof fetch;
  const policy = { resolve: dnsOverHttps(fetcher, "https://dns.example/dns-query") };
  await expect(checkAddress("http://a.example/", policy)).rejects.toMatchObject({ code: "FETCH_FAILED" });
  expect(new Set(requested)).toEqual(new Set(["dns.example"]));
});
