/** Character references of HTML: numeric ones, and the most common names. Others stay unchanged. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: " ",
    copy: "©",
    reg: "®",
    trade: "™",
    hellip: "…",
    mdash: "—",
    ndash: "–",
    lsquo: "‘",
    rsquo: "’",
    ldquo: "“",
    rdquo: "”",
    bull: "•",
    middot: "·",
    laquo: "«",
    raquo: "»",
    times: "×",
    rarr: "→",
    larr: "←",
    eacute: "é",
    egrave: "è",
    agrave: "à",
    uuml: "ü",
    ouml: "ö",
    auml: "ä",
    szlig: "ß",
    ccedil: "ç",
    ntilde: "ñ",
    deg: "°",
    euro: "€",
    pound: "£",
  }),
);

export function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return NAMED.get(name) ?? NAMED.get(name.toLowerCase()) ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "\uFFFD";
  });
}
