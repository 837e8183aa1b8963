/**
 * Converts names of Unicode properties from Rust's loose spelling (`\p{greek}`, `\pL`, `\p{gc=Lowercase Letter}`) to V8's strict
 * one. V8 decides whether a candidate exists; the parser rejects unknown names.
 */

/** The inside of a class for `\p{name}` or `\p{name=value}`; null when there is no such property. */
export function propertySource(name: string, value: string | null): string | null {
  const key = loose(name);
  const candidates = value === null ? unary(name, key) : binary(key, value);
  return candidates.find(isKnown) ?? null;
}

function unary(name: string, key: string): string[] {
  if (key === "any") return ["\\u{0}-\\u{10ffff}"];
  if (key === "ascii") return ["\\x00-\\x7f"];
  if (key === "assigned") return ["\\P{Cn}"];
  const category = CATEGORIES.get(key);
  if (category !== undefined) return [`\\p{${category}}`];
  const property = PROPERTIES.get(key);
  if (property !== undefined) return [`\\p{${property}}`];
  return scripts("Script", name);
}

function binary(key: string, value: string): string[] {
  if (key === "generalcategory" || key === "gc") return unary(value, loose(value)).filter((s) => !s.includes("="));
  if (key === "script" || key === "sc") return scripts("Script", value);
  if (key === "scriptextensions" || key === "scx") return scripts("Script_Extensions", value);
  return [];
}

function scripts(property: string, name: string): string[] {
  const known = SCRIPTS.get(loose(name));
  if (known !== undefined) return [`\\p{${property}=${known}}`];
  const words = name
    .trim()
    .replace(/^is[\s_-]*/i, "")
    .split(/[\s_-]+/);
  const titled = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()).join("_");
  const candidates = [titled, name.trim(), name.trim().replace(/[\s-]+/g, "_")];
  // Rust has no script for characters without one.
  return candidates.filter((value) => !/^(Unknown|Zzzz)$/.test(value)).map((value) => `\\p{${property}=${value}}`);
}

function isKnown(source: string): boolean {
  try {
    new RegExp(`[${source}]`, "u");
    return true;
  } catch {
    return false;
  }
}

function loose(name: string): string {
  const key = name.toLowerCase().replace(/[\s_-]/g, "");
  return key.startsWith("is") && key !== "isc" && key.length > 2 ? key.slice(2) : key;
}

const CATEGORIES = new Map(
  `L:letter LC:casedletter Lu:uppercaseletter Ll:lowercaseletter Lt:titlecaseletter Lm:modifierletter Lo:otherletter
M:mark:combiningmark Mn:nonspacingmark Mc:spacingmark Me:enclosingmark N:number Nd:decimalnumber:digit Nl:letternumber
No:othernumber P:punctuation:punct Pc:connectorpunctuation Pd:dashpunctuation Ps:openpunctuation Pe:closepunctuation
Pi:initialpunctuation Pf:finalpunctuation Po:otherpunctuation S:symbol Sm:mathsymbol Sc:currencysymbol Sk:modifiersymbol
So:othersymbol Z:separator Zs:spaceseparator Zl:lineseparator Zp:paragraphseparator C:other Cc:control:cntrl Cf:format
Cs:surrogate Co:privateuse Cn:unassigned`
    .split(/\s+/)
    .flatMap((entry) => {
      const [short = "", ...names] = entry.split(":");
      return [short.toLowerCase(), ...names].map((name): [string, string] => [name, short]);
    }),
);

const PROPERTIES = new Map(
  `Alphabetic:alpha ASCII_Hex_Digit:ahex Bidi_Control:bidic Bidi_Mirrored:bidim Case_Ignorable:ci Cased
Changes_When_Casefolded:cwcf Changes_When_Casemapped:cwcm Changes_When_Lowercased:cwl Changes_When_Titlecased:cwt
Changes_When_Uppercased:cwu Dash Default_Ignorable_Code_Point:di Deprecated:dep Diacritic:dia Emoji Emoji_Component:ecomp
Emoji_Modifier:emod Emoji_Modifier_Base:ebase Emoji_Presentation:epres Extended_Pictographic:extpict Extender:ext
Grapheme_Base:grbase Grapheme_Extend:grext Hex_Digit:hex Ideographic:ideo ID_Continue:idc ID_Start:ids
IDS_Binary_Operator:idsb IDS_Trinary_Operator:idst Join_Control:joinc Logical_Order_Exception:loe Lowercase:lower Math
Noncharacter_Code_Point:nchar Pattern_Syntax:patsyn Pattern_White_Space:patws Quotation_Mark:qmark Radical
Regional_Indicator:ri Sentence_Terminal:sterm Soft_Dotted:sd Terminal_Punctuation:term Unified_Ideograph:uideo
Uppercase:upper Variation_Selector:vs White_Space:space:wspace XID_Continue:xidc XID_Start:xids`
    .split(/\s+/)
    .flatMap((entry) => {
      const [full = "", ...names] = entry.split(":");
      return [loose(full), ...names].map((name): [string, string] => [name, full]);
    }),
);

/** Scripts whose name is more than one capitalized word; the others follow from capitalization. */
const SCRIPTS = new Map(
  `Anatolian_Hieroglyphs Bassa_Vah Canadian_Aboriginal Caucasian_Albanian Cypro_Minoan Dives_Akuru Egyptian_Hieroglyphs
Gunjala_Gondi Gurung_Khema Hanifi_Rohingya Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian Kayah_Li
Khitan_Small_Script Kirat_Rai Linear_A Linear_B Masaram_Gondi Meetei_Mayek Mende_Kikakui Meroitic_Cursive
Meroitic_Hieroglyphs Nag_Mundari New_Tai_Lue Nyiakeng_Puachue_Hmong Ol_Chiki Ol_Onal Old_Hungarian Old_Italic
Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Pahawh_Hmong Pau_Cin_Hau
Phags_Pa Psalter_Pahlavi SignWriting Sora_Sompeng Syloti_Nagri Tai_Le Tai_Tham Tai_Viet Tulu_Tigalari Warang_Citi
Zanabazar_Square`
    .split(/\s+/)
    .map((name): [string, string] => [loose(name), name]),
);
