/** Classifies non-public addresses: loopback, private, link-local, metadata services, and all their notations inside IPv6. */

export type AddressKind = "public" | "loopback" | "private";

/** Null: not an address. */
export function addressKind(text: string): AddressKind | null {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  const v4 = parseIPv4(bare);
  if (v4 !== null) return kindOfIPv4(v4);
  const v6 = parseIPv6(bare);
  return v6 === null ? null : kindOfIPv6(v6);
}

function parseIPv4(text: string): number | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (match === null) return null;
  // `012` is 10 to some programs and 12 to others.
  if (match.slice(1).some((part) => part.length > 1 && part.startsWith("0"))) return null;
  const parts = match.slice(1).map(Number);
  if (parts.some((part) => part > 255)) return null;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

/** First address and prefix length of every range that is not public. */
const PRIVATE_V4: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Azure's metadata and DNS address is in public space.
  ["168.63.129.16", 32],
];
/** The same as numbers, end exclusive. */
const PRIVATE_RANGES = PRIVATE_V4.map(([first, length]) => {
  const start = parseIPv4(first) as number;
  return { start, end: start + 2 ** (32 - length) };
});

function kindOfIPv4(address: number): AddressKind {
  if (address >>> 24 === 127) return "loopback";
  return PRIVATE_RANGES.some(({ start, end }) => address >= start && address < end) ? "private" : "public";
}

function parseIPv6(text: string): number[] | null {
  if (!text.includes(":")) return null;
  const [address] = text.split("%");
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address as string);
  const tail = dotted === null ? null : parseIPv4(dotted[2] as string);
  if (dotted !== null && tail === null) return null;
  const whole =
    dotted === null || tail === null
      ? (address as string)
      : `${dotted[1]}${(tail >>> 16).toString(16)}:${(tail & 0xffff).toString(16)}`;
  const halves = whole.split("::");
  if (halves.length > 2) return null;
  const groups = (half: string) => (half === "" ? [] : half.split(":"));
  const [left, right] = [groups(halves[0] as string), halves.length === 2 ? groups(halves[1] as string) : null];
  const missing = 8 - left.length - (right?.length ?? 0);
  if (right === null ? left.length !== 8 : missing < 1) return null;
  const all = right === null ? left : [...left, ...new Array<string>(missing).fill("0"), ...right];
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return all.map((group) => Number.parseInt(group, 16));
}

function kindOfIPv6(groups: readonly number[]): AddressKind {
  const [a, b, c] = groups as [number, number, number];
  const zeros = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  const embedded = (at: number) => kindOfIPv4((groups[at] as number) * 65_536 + (groups[at + 1] as number));
  if (zeros(0, 7) && groups[7] === 1) return "loopback";
  // ::a.b.c.d, ::ffff:a.b.c.d, ::ffff:0:a.b.c.d and NAT64 stand for the embedded IPv4 address.
  if (zeros(0, 6)) return zeros(6, 8) ? "private" : embedded(6);
  if (zeros(0, 5) && groups[5] === 0xffff) return embedded(6);
  if (zeros(0, 4) && groups[4] === 0xffff && groups[5] === 0) return embedded(6);
  if (a === 0x64 && b === 0xff9b) return c === 0 && zeros(2, 6) ? embedded(6) : "private";
  if (a === 0x2002) return embedded(1);
  // An ISATAP interface stands for the embedded address, under any prefix.
  if (((groups[4] as number) & 0xfdff) === 0 && groups[5] === 0x5efe && embedded(6) !== "public") return "private";
  if (a === 0x2001 && (b === 0 || b === 0xdb8 || b < 0x200)) return "private";
  if (a === 0x100 && zeros(1, 4)) return "private";
  if (a === 0x3fff && b < 0x1000) return "private";
  if ((a & 0xfe00) === 0xfc00 || (a & 0xffc0) === 0xfe80 || (a & 0xffc0) === 0xfec0 || (a & 0xff00) === 0xff00)
    return "private";
  // All space routed today is in 2000::/3.
  return (a & 0xe000) === 0x2000 ? "public" : "private";
}
