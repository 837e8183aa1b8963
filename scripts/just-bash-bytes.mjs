// Changes of just-bash for long texts (see bundle-just-bash.mjs): conversions between text and bytes, and replacements that the
// runtime does in one native call instead of a call for each character. Almost every text is ASCII, where all of them are the identity.

/** [what, pattern, replacement, times] */
export const byteChanges = [
  [
    "length in UTF-8 of ASCII",
    /function ([\w$]+)\(e\)\{let t=0;(?=for\(let n=0;n<e\.length;n\+\+\)\{let r=e\.charCodeAt\(n\);if\(r<=127\)t\+\+;else if\(r<=2047\)t\+=2;)/,
    (head) => `${head.slice(0, -"let t=0;".length)}if(isAscii(e))return e.length;let t=0;`,
    1,
  ],
  [
    "UTF-8 of ASCII, decoded",
    /let r=!1;for\(let i=0;i<n\.length;i\+\+\)\{let o=n\.charCodeAt\(i\);if\(o>255\)return n;o>127&&\(r=!0\)\}if\(!r\)return n;/,
    "if(isAscii(n))return n;if(/[^\\0-\\xff]/.test(n))return n;",
    1,
  ],
  [
    "UTF-8 of ASCII, encoded",
    /(?<=function ([\w$]+)\(e,t=[\w$]+\)\{if\(!e)(?=\)return e;[\w$]+\([\w$]+\(e\),t,"UTF-8 encode"\))/,
    "||isAscii(e)&&e.length<=t",
    1,
  ],
  [
    "bytes to text",
    /(?<=let n=[\w$]+\.encode\(e\),r="";)for\(let s=0;s<n\.length;s\+\+\)r\+=String\.fromCharCode\(n\[s\]\);/,
    "for(let s=0;s<n.length;s+=8192)r+=String.fromCharCode.apply(null,n.subarray(s,s+8192));",
    1,
  ],
  [
    "jq's ascii_upcase and ascii_downcase",
    /e\.replace\(\/\[(a-z|A-Z)\]\/g,i=>String\.fromCharCode\(i\.charCodeAt\(0\)[-+]32\)\)/g,
    (whole, range) => `(isAscii(e)?e.to${range === "a-z" ? "Upper" : "Lower"}Case():${whole})`,
    2,
  ],
  // A loop that counts its work throws when the command is stopped; in a timer that error would be uncaught.
  [
    "timeout: a command that fails after its time",
    "p=await Promise.race([f,d])",
    "p=(d.catch(()=>{}),await Promise.race([f,d]))",
    1,
  ],
  ["timers", "globalThis.setTimeout.bind(globalThis)", "quietTimer", 1],
];

/** What the changes call. */
export const byteFunctions = `
function isAscii(text){return!/[^\\0-\\x7f]/.test(text)}
function quietTimer(call,ms,...rest){return globalThis.setTimeout(()=>Promise.resolve().then(()=>call(...rest)).catch(()=>0),ms)}`;
