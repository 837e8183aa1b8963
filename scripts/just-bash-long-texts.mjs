// Changes of just-bash for work that took long between two turns of the event loop (see bundle-just-bash.mjs): a character or a
// record no longer makes a value of its own.

/** [what, pattern, replacement, times] */
export const longTextChanges = [
  [
    "sed's y",
    /(?<=function [\w$]+\(e,t\)\{)(?=let n="";for\(let r of e\)\{let s=t\.source\.indexOf\(r\);s!==-1\?n\+=t\.dest\[s\]:n\+=r\}return n\})/,
    "if(e.length>64&&!/[\\ud800-\\udfff]/.test(t.source))return transliterate(e,t);",
    1,
  ],
  // A program tests all records with one pattern: compiling it takes far longer than the test.
  ["jq's test", "return[ie(o,a).test(e)]", "return[compiledOnce(ie,o,a).test(e)]", 1],
];

/** What the changes call. */
export const longTextFunctions = `
function transliterate(text,command){
  const narrow=(command.narrow??=narrowTable(command)),wide=(command.wide??=wideTable(command));
  let out="";
  for(let from=0;from<text.length;from+=8192){
    const codes=new Uint16Array(Math.min(8192,text.length-from));
    for(let i=0;i<codes.length;i++){const code=text.charCodeAt(from+i);codes[i]=code<256?narrow[code]:wide[code]??code}
    out+=String.fromCharCode.apply(null,codes);
  }
  return out;
}
function narrowTable({source,dest}){
  const table=Uint16Array.from({length:256},(_,code)=>code);
  for(let i=source.length-1;i>=0;i--)if(source.charCodeAt(i)<256)table[source.charCodeAt(i)]=dest.charCodeAt(i);
  return table;
}
function wideTable({source,dest}){
  const table=Object.create(null);
  for(let i=source.length-1;i>=0;i--)table[source.charCodeAt(i)]=dest.charCodeAt(i);
  return table;
}
let compiled=null;
function compiledOnce(compile,pattern,flags){
  if(compiled?.pattern!==pattern||compiled.flags!==flags)compiled={pattern,flags,regex:compile(pattern,flags)};
  return compiled.regex;
}`;
