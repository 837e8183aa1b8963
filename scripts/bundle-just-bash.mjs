// Makes packages/shell/vendor/just-bash.js from just-bash's browser build (scripts/just-bash installs it), which is one minified
// file with every command in it and returns output only when a script is done. It changes four things: it drops commands that we
// replace or leave to the container (half the size), uses the runtime's Unicode tables for regular expressions instead of shipping
// them, adds an `emit` option that receives a statement's output as soon as it is done, and `piped`, which reports commands that
// read from a pipe. Every change must match exactly as often as it declares, so a new version of just-bash fails here and not in a
// user's shell. `--check` only compares. meter-loops.mjs then makes every loop of it count its work.
// See docs/decisions/0008-shell.md.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { dropUnusedMethods } from "./drop-unused-methods.mjs";
import { byteChanges, byteFunctions } from "./just-bash-bytes.mjs";
import { longTextChanges, longTextFunctions } from "./just-bash-long-texts.mjs";
import { meterLoops } from "./meter-loops.mjs";
import { installProject } from "./setup.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = `${root}packages/shell/vendor/just-bash.js`;
const project = `${root}scripts/just-bash`;
const source = `${project}/node_modules/just-bash/dist/bundle/browser.js`;

installProject(project);
const { version } = JSON.parse(readFileSync(`${project}/node_modules/just-bash/package.json`, "utf8"));

/**
 * Commands that we replace (grep to env), or that an agent's shell does not need: terminals, HTML, the network, those that need
 * node:zlib.
 */
const LEFT_OUT =
  `rg grep fgrep egrep diff cut ls cp mv rm stat xargs env html-to-markdown file curl gzip gunzip zcat help history clear whoami hostname`.split(
    " ",
  );

let text = readFileSync(source, "utf8");

function change(what, pattern, replacement, times) {
  let found = 0;
  text = text.replace(pattern, (...match) => {
    found++;
    return typeof replacement === "function" ? replacement(...match) : replacement;
  });
  if (found !== times) throw new Error(`just-bash ${version}: "${what}" was found ${found} times, not ${times}`);
}

/** The character code of a string literal in the source. */
function characterCode(literal) {
  return String(Function(`return ${literal}`)().codePointAt(0));
}

function dropGetter(_, before, name, after) {
  fuzzed.push(name);
  return before !== "" && after !== "" ? "," : "";
}

/** `name={…}`, with its nested braces. */
function objectAssignedTo(name) {
  const start = text.search(new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}=\\{name:"[\\w[-]*",flags:\\[`));
  if (start < 0) throw new Error(`just-bash ${version}: ${name} is not an object of flags`);
  let [at, depth] = [text.indexOf("{", start), 0];
  do {
    if (text[at] === "{") depth++;
    if (text[at] === "}") depth--;
    at++;
  } while (depth > 0);
  return text.slice(start, at);
}

// Modules are functions that run on first use; marked as pure, the bundler drops unused ones.
change("lazy modules", /(?<=[=,])(L|Jo)\((?=\(|[a-z]+=>)/g, (_, wrap) => `/*@__PURE__*/${wrap}(`, 189);
change(
  "namespaces",
  /var ([\w$]+)=\{\};ae\(\1,(\{(?:[\w$]+:\(\)=>[\w$]+,?)*\})\);/g,
  (_, name, getters) => `var ${name}=/*@__PURE__*/ae({},${getters});`,
  73,
);
change(
  "namespace maker",
  "ae=(e,t)=>{for(var n in t)Cc(e,n,{get:t[n],enumerable:!0})}",
  "ae=(e,t)=>{for(var n in t)Cc(e,n,{get:t[n],enumerable:!0});return e}",
  1,
);
change(
  "commands left out",
  /,?\{name:"([\w-]+)",load:async\(\)=>\(await Promise\.resolve\(\)\.then\(\(\)=>\([\w$]+\(\),[\w$]+\)\)\)\.[\w$]+\}/g,
  (entry, name) => (LEFT_OUT.includes(name) ? "" : entry),
  80,
);

// The tables of Unicode's categories and scripts are a third of the regular expressions' size; the runtime has them too.
change("Unicode tables", /static (?!fold)\w+=new \$\(new Uint32Array\(\[[\d,e]*\]\)\);/g, "", 206);
change("Unicode aliases", /static Upper=this\.Lu;|static Upper=e\.Lu;/g, "", 1);
const names = (_, kind, list) =>
  `static ${kind}=new Set("${[...list.matchAll(/\["(\w+)"/g)].map((m) => m[1]).join(" ")}".split(" "));`;
change("Unicode names", /static (CATEGORIES|SCRIPTS)=new Map\(\[((?:\["\w+",e\.\w+\],?)*)\]\);/g, names, 2);
change("Unicode categories", "Bn.CATEGORIES.get(t)", "unicodeRanges($,t)", 1);
change("Unicode scripts", "Bn.SCRIPTS.get(t)", "unicodeRanges($,'Script='+t)", 1);
change("isUpper", "this.is(Bn.Upper,t)", "/\\p{Lu}/u.test(String.fromCodePoint(t))", 1);
change("isPrint", "this.is(Bn.Print,t)", "/[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]/u.test(String.fromCodePoint(t))", 1);
change("table of isPrint", /static Print=new \$\(new Uint32Array\(\[[\d,e]*\]\)\)/g, "", 1);
change("case orbits", /static CASE_ORBIT=new Map\(\[[[\]\de,]*\]\);/g, "", 1);
change("tables of case folding", /static fold\w+=new \$\(new Uint32Array\(\[[\de,]*\]\)\);/g, "", 9);
change("names of those tables", /static FOLD_(?:CATEGORIES|SCRIPT)=new Map\(\[(?:\["\w+",e\.\w+\],?)*\]\);/g, "", 2);
change("folded categories", "Bn.FOLD_CATEGORIES.get(t)", "foldedRanges($,t)", 1);
change("folded scripts", "Bn.FOLD_SCRIPT.get(t)", "foldedRanges($,'Script='+t)", 1);
change(
  "simpleFold",
  "if(Bn.CASE_ORBIT.has(t))return Bn.CASE_ORBIT.get(t);let n=j.toLowerCase(t);return n!==t?n:j.toUpperCase(t)}",
  "return nextInOrbit(t)}",
  1,
);
const NAMED_CHARACTER = `"(?:\\\\.|[^"])+"|\`\n\`|'"'`;
change(
  "characters",
  RegExp(`\\bj\\.CODES\\.get\\((${NAMED_CHARACTER})\\)`, "g"),
  (_, name) => characterCode(name),
  143,
);
change(
  "table of characters",
  RegExp(`static CODES=new Map\\(\\[(?:\\[(?:${NAMED_CHARACTER}),\\d+\\],?)*\\]\\);`, "g"),
  "",
  1,
);
text += `
const ranges=new Map;
function unicodeRanges(Table,property){
  if(ranges.has(property))return ranges.get(property);
  const has=new RegExp("^\\\\p{"+property+"}$","u"),data=[];
  for(let code=0,from=-1;code<=0x110000;code++){
    const inside=code<0x110000&&has.test(String.fromCodePoint(code));
    if(inside&&from<0)from=code;
    if(!inside&&from>=0){data.push(from,code-1,1);from=-1}
  }
  const table=new Table(new Uint32Array(data));
  ranges.set(property,table);
  return table;
}
let orbits=null;
function nextInOrbit(code){
  if(code<128)return code===107?8490:code===115?383:/[a-z]/i.test(String.fromCharCode(code))?code^32:code;
  orbits??=caseOrbits();
  return orbits.get(code)??code;
}
function caseOrbits(){
  const classes=new Map,next=new Map,changes=/[\\p{CWCM}\\p{CWCF}]/u;
  for(let code=65;code<=125251;code++){
    const sign=String.fromCodePoint(code);
    if(!changes.test(sign))continue;
    const key=sign.toUpperCase().toLowerCase().toUpperCase(),known=classes.get(key)??[];
    const same=known.find(([first])=>new RegExp("^"+String.fromCodePoint(first)+"$","iu").test(sign));
    same?same.push(code):classes.set(key,[...known,[code]]);
  }
  for(const codes of [...classes.values()].flat())codes.forEach((code,i)=>next.set(code,codes[(i+1)%codes.length]));
  return next;
}
function foldedRanges(Table,property){
  const has=new RegExp("^\\\\p{"+property+"}$","u"),data=[];
  orbits??=caseOrbits();
  for(const code of [...orbits.keys()].sort((a,b)=>a-b)){
    if(has.test(String.fromCodePoint(code)))continue;
    for(let other=orbits.get(code);other!==code;other=orbits.get(other))
      if(has.test(String.fromCodePoint(other))){data.push(code,code,1);break}
  }
  return data.length===0?null:new Table(new Uint32Array(data));
}`;

// Used only by its fuzzers: the flags of every command, and a record of what was run.
const fuzzed = [];
change("getters of flags for fuzzers", /(,?)flagsForFuzzing:\(\)=>([\w$]+)(,?)/g, dropGetter, 71);
for (const name of fuzzed) change(`flags of ${name} for fuzzers`, objectAssignedTo(name), `${name}=0`, 1);
change("coverage", /([\w$.]+)\.coverage\?\.hit\((?:"[^"]*"|`[^`]*`)\)/g, "0", 32);

// Without AsyncLocalStorage its second line of defense has no effect: one line replaces the rest of it. `help` is dropped.
change(
  "defense in depth",
  /(?<=,St,Sn=\/\*@__PURE__\*\/L\(\(\)=>\{)"use strict";[\s\S]*?this\.originalDescriptors=\[\]\}\}(?=\}\);)/,
  '"use strict";ye=class extends Error{};St=class{static async runTrustedAsync(t){return t()}static async runUntrustedAsync(t){return t()}static isInSandboxedContext(){return!1}static getCurrentExecutionId(){}static bindCurrentContext(t){return t}static getInstance(){return null}}',
  1,
);

// Completion is for interactive shells.
change("texts of help", /_4=new Map\(\[\[":",[\s\S]*?\]\]\]\)(?=,B4=\[\.\.\._4\.keys\(\)\])/, "_4=new Map()", 1);
change("help", 'if(t==="help")return wp(c,n);', "", 1);
change(
  "completion",
  'if(t==="compgen")return Yd(c,n);if(t==="complete")return tp(c,n);if(t==="compopt")return np(c,n);',
  "",
  1,
);

// File system and network are ours, and scripts are not rewritten.
change("file system in memory", "t.fs??new ir(t.files,{maxTotalBytes:this.limits.maxFileSystemBytes})", "t.fs", 1);
change("its home", 'r!=="/"&&n instanceof ir)', "!1)", 1);
change("network", "this.secureFetch=Wp(t.network)", "this.secureFetch=void 0", 1);
change("rewriting", "return{script:g7(r),ast:r,metadata:s}", "return{ast:r,metadata:s}", 1);

// `piped` reports for every command whether another one precedes it in the pipe: an empty pipe is not the same as none.
// The script's own output is emitted at once; output to a pipe, a redirection or a substitution is not.
change(
  "emit: the option",
  "signal:u.signal,extraArgs:u.args}",
  "signal:u.signal,extraArgs:u.args,emit:u.emit,piped:this.piped}",
  1,
);
change("emit: the top script", ".executeScript(x);return S", ".executeTop(x);return S", 1);
change(
  "emit: nested scripts",
  'async executeScript(t){this.assertDefenseContext("execution");',
  'executeScript(t){return this.silently(()=>this.executeTop(t))}async silently(f){let q=this.ctx.state.emit;this.ctx.state.emit=void 0;try{return await f()}finally{this.ctx.state.emit=q}}async executeTop(t){return runWithTrap(this,t,he,hn,or,Ht,$c)}async executeBody(t){this.assertDefenseContext("execution");',
  1,
);
change(
  "emit: pipelines",
  "async executePipeline(t){return b3(this.ctx,t,(n,r)=>this.executeCommand(n,r))}",
  'async executePipeline(t){let f=()=>b3(this.ctx,t,async(n,r)=>{let d=this.ctx.state.piped?.(t.commands.indexOf(n)>0);try{return await this.executeCommand(n,r)}finally{d?.()}}),q=this.ctx.state.emit;if(!q)return f();if(t.commands.length>1||t.commands[0].redirections?.some(r=>r.operator[0]!=="<"||r.operator==="<>"||r.operator==="<&"))return q(await this.silently(f),zr);return q(await f(),zr)}',
  1,
);
change(
  "emit: functions that redirect",
  'async function pc(e,t,n,r="",s,i=!1){',
  'async function pc(e,t,n,r="",s,i=!1){if(e.state.emit&&t.redirections?.length){let q=e.state.emit;e.state.emit=void 0;try{return await pc(e,t,n,r,s,i)}finally{e.state.emit=q}}',
  1,
);

// `trap … EXIT` runs when the script is done, by itself or by `exit`, with its exit status. There are no signals.
change("trap", 'if(t==="wait")return Fe;', 'if(t==="trap")return setTrap(c.state,n,Fe);if(t==="wait")return Fe;', 1);
// A substitution has only its own trap; `eval` and `source` share the script's. A subshell's trap needs the container.
change("trap: substitutions", "let c=await e.executeScript(r),u=c.exitCode", "let c=await apart(e,r),u=c.exitCode", 1);
change("trap: substitutions in words", "h=await e.executeScript(t)}catch(m)", "h=await apart(e,t)}catch(m)", 1);
change("trap: process substitutions", "let p=await e.executeScript(t.body)", "let p=await apart(e,t.body)", 1);
change("trap: eval", "let l=or(i);return await e.executeScript(l)", "let l=or(i);return await asPart(e,l)", 1);
change("trap: source", "u=await e.executeScript(c);return l(),u", "u=await asPart(e,c);return l(),u", 1);
change(
  "trap: subshells",
  'case"Subshell":return this.executeSubshell(t,n,r);',
  'case"Subshell":{let q=this.ctx.state.inSubshell;this.ctx.state.inSubshell=!0;try{return await this.executeSubshell(t,n,r)}finally{this.ctx.state.inSubshell=q}}',
  1,
);
text += `
async function apart(e,script){
  const {state}=e,before=[state.exitTrap,state.isPart,state.inSubshell];
  [state.exitTrap,state.isPart,state.inSubshell]=["",!1,!1];
  try{return await e.executeScript(script)}finally{[state.exitTrap,state.isPart,state.inSubshell]=before}
}
async function asPart(e,script){
  const {state}=e,{isPart,partDepth=0}=state;
  if(partDepth>=e.limits.maxCallDepth)return{stdout:"",stderr:\`bash: eval: maximum nesting level exceeded (\${partDepth})\\n\`,exitCode:1};
  [state.isPart,state.partDepth]=[!0,partDepth+1];
  try{return await e.executeScript(script)}finally{[state.isPart,state.partDepth]=[isPart,partDepth]}
}
function setTrap(state,[handler,...signals],done){
  if(handler==="--")[handler,...signals]=signals;
  const odd=signals.find(s=>/^(ERR|DEBUG|RETURN)$/i.test(s));
  if(odd)return{stdout:"",stderr:\`bash: trap: \${odd}: the Worker's shell does not have it; it needs a container\\n\`,exitCode:1};
  if(!signals.some(s=>/^(EXIT|0)$/i.test(s)))return done;
  if(state.inSubshell&&handler!=="-")return{stdout:"",stderr:"bash: trap: EXIT in a subshell: the Worker's shell does not have it; it needs a container\\n",exitCode:1};
  state.exitTrap=handler==="-"?"":handler;
  return done;
}
async function runWithTrap(shell,script,Exit,Output,parse,record,tell){
  if(shell.ctx.state.isPart)return shell.executeBody(script);
  const {state,executionScope,limits}=shell.ctx,output=new Output(executionScope,"script");
  let code=0;
  const run=async(body)=>{
    try{
      const result=await shell.executeBody(body);
      code=result.exitCode;
      return result;
    }catch(error){
      if(!(error instanceof Exit)||!state.exitTrap&&body===script)throw error;
      output.append("stdout",error.stdout,error.internalOutputAccounting.stdout);
      output.append("stderr",error.stderr,error.internalOutputAccounting.stderr);
      code=error.exitCode;
    }
  };
  const first=await run(script);
  if(!state.exitTrap)return first;
  if(first)output.appendResult(first,tell(first));
  const handler=parse(state.exitTrap,{maxHeredocSize:limits.maxHeredocSize}),ended=code;
  state.exitTrap="";
  state.lastExitCode=code;
  state.env.set("?",String(code));
  const last=await run(handler);
  if(last){output.appendResult(last,tell(last));code=ended}
  return{...output.build(code),exitCode:code,env:record(state.env)};
}`;

// Fixes wrong results that feed into the next command. `*/` matches only directories: otherwise `rm -r */` would remove files too.
// Names and lines sort by bytes, as LANG=C.UTF-8 requires.
change(
  "globs that end with a slash",
  "async expand(t){if(this.globstar)",
  "async expand(t){let w=/^(.*[^/])\\/+$/s.exec(t);if(w){let d=[];for(let p of await this.expand(w[1])){let k=await this.fs.stat(this.fs.resolvePath(this.cwd,p)).catch(()=>null);k?.isDirectory&&d.push(p+'/')}return d}if(this.globstar)",
  1,
);
change("order", /([\w$.[\]]+)\.localeCompare\(([\w$.[\]]+)\)/g, (_, a, b) => `inOrder(${a},${b})`, 14);
text += "\nfunction inOrder(a,b){return a<b?-1:a>b?1:0}";
change(
  "length of an array in awk",
  "async function qx(e,t,n){return e.length===0?",
  "async function qx(e,t,n){let k=e[0]?.type==='variable'&&t.arrays[t.arrayAliases?.get(e[0].name)??e[0].name];if(k)return Object.keys(k).length;return e.length===0?",
  1,
);
change(
  "words of a command that comes out of a variable",
  "let u=await _e(this.ctx,t.name),f=[]",
  'let U=t.name.parts.some(N=>N.type==="CommandSubstitution"||N.type==="ParameterExpansion")?await dr(this.ctx,t.name):{values:[await _e(this.ctx,t.name)]},u=U.values[0]??"",f=[]',
  1,
);
change(
  "and what stands behind the first of them",
  'f.push(N),d.push(I)};if(Fp(t.name,["local"',
  'f.push(N),d.push(I)};for(let N of U.values.slice(1))p(N,!1);if(Fp(t.name,["local"',
  1,
);
change(
  "case in sed's replacements",
  /function hu\(e,t,n\)\{(let r="",s=0;for\(;s<e\.length;\)\{)([\s\S]*?)return r\}(?=function sm\()/,
  (_, head, body) =>
    `function hu(e,t,n){let K=/\\\\[ULulE]/.test(e)?caseMarks():null;if(K)e=K.mark(e);${head}${body}return K?K.apply(r):r}`,
  1,
);
text += `
function caseMarks(){
  const marks={U:"\\u0001U",L:"\\u0001L",u:"\\u0001u",l:"\\u0001l",E:"\\u0001E"};
  return{
    mark:(text)=>text.replace(/\\\\([\\s\\S])/g,(whole,letter)=>marks[letter]??whole),
    apply(text){
      let mode="E",once="",out="";
      for(let i=0;i<text.length;i++){
        if(text[i]==="\\u0001"&&"ULulE".includes(text[i+1])){
          const mark=text[++i];
          if("ul".includes(mark))once=mark;else{mode=mark;once=mark==="E"?"":once}
          continue;
        }
        let sign=text[i];
        const how=once||mode;
        if(how==="U"||how==="u")sign=sign.toUpperCase();
        if(how==="L"||how==="l")sign=sign.toLowerCase();
        once="";
        out+=sign;
      }
      return out;
    },
  };
}`;
change(
  "set -e before && and ||, also in functions",
  "let f=await this.executePipeline(c);n.appendResult(f,$c(f)),r=f.exitCode,s=l,i=c.negated",
  "let Q=this.ctx.state.inCondition,f;(l<t.pipelines.length-1||c.negated)&&(this.ctx.state.inCondition=!0);try{f=await this.executePipeline(c)}finally{this.ctx.state.inCondition=Q}n.appendResult(f,$c(f)),r=f.exitCode,s=l,i=c.negated",
  1,
);
change(
  "for without a list",
  'i=(e.state.env.get("@")||"").split(" ").filter(Boolean)',
  'i=Array.from({length:Number(e.state.env.get("#")||0)},(_,k)=>e.state.env.get(String(k+1))??"")',
  1,
);
change(
  "cd in a pipe stays there",
  "O=E?qn(e.state.arrays):null,R,N=",
  "O=E?qn(e.state.arrays):null,Y=[e.state.cwd,e.state.previousDir],R,N=",
  1,
);
change(
  "and the way back",
  /e\.state\.env=A,e\.state\.arrays=O\?\?new Map/g,
  "[e.state.cwd,e.state.previousDir]=Y,e.state.env=A,e.state.arrays=O??new Map",
  2,
);
change(
  "an element of awk's that is named is there",
  "return Ra(e,t.array,n)}async function y9",
  'return t.array!=="ARGV"&&t.array!=="ENVIRON"&&!km(e,t.array,n)&&Cu(e,t.array,n,""),Ra(e,t.array,n)}async function y9',
  1,
);
change(
  "assignments among awk's files",
  "if(l.length>0)for(let S of l){let E;",
  "let Y=S=>/^([A-Za-z_]\\w*)=([\\s\\S]*)$/.exec(S),X=S=>di(p,S[1],S[2]);if(l.some(S=>!Y(S)))for(let S of l){let E=Y(S);if(E){X(E);continue}",
  1,
);
change(
  "assignments alone, and awk's input",
  'else await n("stdin processing",()=>x("",ue(t.stdin)));return await n("END execution"',
  'else{for(let S of l)X(Y(S));await n("stdin processing",()=>x("",ue(t.stdin)))}return await n("END execution"',
  1,
);
change(
  "the first line in sed's hold",
  /case"holdAppend":t\.holdSpace\?(t\.holdSpace\+=`\n\$\{t\.patternSpace\}`):t\.holdSpace=t\.patternSpace,/,
  (_, append) => `case"holdAppend":${append},`,
  1,
);
change(
  "commands in arithmetic",
  /case"ArithCommandSubst":\{if\(e\.execFn\)\{let i=await e\.execFn\(t\.command,[\s\S]*?let o=i\.stdout\.trim\(\);(return Number\.parseInt\(o,10\)\|\|0\})return 0\}/,
  (_, value) => `case"ArithCommandSubst":{let o=(await _l(e,t.command)).trim();${value}`,
  1,
);
change(
  "commands in arithmetic, as text",
  'case"ArithCommandSubst":return e.execFn?(await e.execFn(t.command,{signal:e.state.signal})).stdout.trim():"0"',
  'case"ArithCommandSubst":return(await _l(e,t.command)).trim()',
  1,
);
change(
  "memory of awk's arrays",
  "e.arrayElementCount++}e.arrays[s][n]=r}",
  "e.arrayElementCount++;e.arrayBytes=(e.arrayBytes??0)+String(n).length}e.arrayBytes+=String(r).length-String(e.arrays[s][n]??'').length;if(e.arrayBytes>6e7)throw new C('awk: the arrays hold more than 60000000 bytes','string_length');e.arrays[s][n]=r}",
  1,
);
change(
  "jq reads valid JSON as it is",
  /(function [\w$]+\(e,t,n\)\{)return JSON\.parse\(([\w$]+)\(e\.slice\(t,n\)\)\)\}/,
  (_, head, escaped) => `${head}let s=e.slice(t,n);try{return JSON.parse(s)}catch{return JSON.parse(${escaped}(s))}}`,
  1,
);
change("find -mmin", 'else if(a==="-mtime"){', 'else if(a==="-mtime"||a==="-mmin"){', 1);
change(
  "find -mmin: its unit",
  'type:"mtime",days:f,comparison:c}',
  'type:"mtime",days:f,comparison:c,unit:a==="-mmin"?6e4:864e5}',
  1,
);
change(
  "find -mtime counts whole days",
  "let r=(Date.now()-t.mtime)/(1e3*60*60*24),s;",
  "let r=(Date.now()-t.mtime)/e.unit,s;e.unit>6e4&&(r=Math.floor(r));",
  1,
);
change(
  "zeros before awk's fractions",
  'let S=y.toFixed(x);if(f){let E=parseInt(f,10);u.includes("-")?S=S.padEnd(E):S=S.padStart(E)}',
  'let S=y.toFixed(x);if(f){let E=parseInt(f,10);u.includes("-")?S=S.padEnd(E):S=u.includes("0")?S.replace(/^-?/,k=>k.padEnd(k.length+Math.max(0,E-S.length),"0")):S.padStart(E)}',
  1,
);
change("width of uniq -c", "String(w).padStart(4)", "String(w).padStart(7)", 1);
change(
  "text of sed's a, i and c",
  /(?<=readTextCommand\(t,n,r\)\{)let s=!1;[\s\S]*?(?=let i="";)/,
  String.raw`for(;this.peek()===" "||this.peek()==="\t";)this.advance();if(this.peek()==="\\"){let k=this.pos+1;for(;this.input[k]===" "||this.input[k]==="\t";)k++;if(this.input[k]==="\n")this.pos=k+1;else this.advance()}`,
  1,
);
change(
  "strings in jq's @csv",
  /return i\.includes\(","\)\|\|i\.includes\('"'\)[\s\S]*?:i(?=\}\)\.join\(","\))/,
  `return '"'+i.replace(/"/g,'""')+'"'`,
  1,
);

// Regular expressions that scan a long run once per character. V8 cannot interrupt a match: each now starts a run only once.
change("trailing line feeds", /\/\\n\+\$\//g, () => "/(?<!\\n)\\n+$/", 7);
change("trailing slashes", /\/\\\/\+\$\//g, () => "/(?<!\\/)\\/+$/", 3);
change("brackets of a glob", /\/\\\[\.\*\\\]\//g, () => "/^[^[\\n\\r\\u2028\\u2029]*\\[.*\\]/m", 2);
change("a subscript at the end", "/\\[.+\\]$/.test(", "/^[^[]*\\[.+\\]$/s.test(", 1);
change("options of a sort key", /\/\(\[bdfhMnrV\]\+\)\$\//g, () => "/(?<![bdfhMnrV])([bdfhMnrV]+)$/", 2);
change("lines of a stack", "/\\n\\s+at\\s.*/g", "/\\n[ \\t]+at\\s.*/g", 1);
change("numbers of sort -h", "(/^([+-]?\\d*\\.?\\d+)\\s*", "(/^([+-]?(?:\\d+|\\d*\\.\\d+))\\s*", 1);
change("seconds", "/^(\\d+\\.?\\d*)(s|m|h|d)?$/", "/^(\\d+(?:\\.\\d*)?)(s|m|h|d)?$/", 1);
change("formats of find", "[0-9]*\\.?[0-9]*(s|m|M|t|T)/", "[0-9]*(?:\\.[0-9]*)?(s|m|M|t|T)/", 1);
change("lines of a list of sums", "\\s+[* ]?(.+)$/", "\\s+[* ]?(\\S.*)$/", 1);
change("flags of printf", /\(\/\^%\(\[- \+#0'\]\*\)\(\\d\*\)/g, () => "(/^%([- +#0']*)((?:[1-9]\\d*)?)", 4);

for (const [what, pattern, replacement, times] of [...byteChanges, ...longTextChanges])
  change(what, pattern, replacement, times);
text += byteFunctions + longTextFunctions;

// The workspace's file system takes the place of its own, also for the files of process substitutions (descriptor-files.ts).
change(
  "files of process substitutions",
  /let t=new [\w$]+\((n=>[\w$]+\(e\)\.some\(r=>r\.path===`\$\{[\w$]+\}\$\{)n(\}`\))\);e\.fs=new [\w$]+\(\{base:e\.fs,mounts:\[\{mountPoint:[\w$]+,filesystem:t\}\]\}\)/,
  (_whole, isLive) => `e.fs=e.fs.withDescriptors(n=>${/=>([\w$]+)\(/.exec(isLive)[1]}(e).some(r=>r.path===n))`,
  1,
);

// With that defense off, its checks and their descriptions do nothing.
change(
  "checks of the defense",
  /(?<=function vt\(e,t,n\)\{)if\(![\s\S]*?executionId:[\w$.]+\(\)\}\)(?=\}async function sn)/,
  "",
  1,
);
change("checks around a call", /async function sn\(e,t,n,r\)\{vt[\s\S]*?,s\}/, "function sn(e,t,n,r){return r()}", 1);
change("calls of the checks", /this\.assertDefenseContext\("[\w ]*"\)/g, "0", 9);
change("descriptions of the checks", /"[a-zA-Z -]+ evaluation"/g, "0", 43);

// A missing command says where it can be run.
const HINT = "command not found: the Worker's shell does not have it; it needs a container";
change("command not found", /\$\{t\}: command not found/g, `\${t}: ${HINT}`, 1);
change(
  "commands for Node",
  /\$\{t\}: command not available in browser environments\. [^`]*?bundle\./g,
  `\${t}: ${HINT}`,
  1,
);

// Errors that its own commands pass through: they turn every other error into a failure.
text += `
function workError(error){return error.code==="ABORTED"?new He():new C(error.message+": the Worker's shell counts its work; it needs a container","iterations")}
export{workError}`;

const { outputFiles } = await build({
  stdin: {
    contents: 'export { Bash, defineCommand, getCommandNames, workError } from "just-bash";',
    resolveDir: project,
  },
  plugins: [
    {
      name: "changed just-bash",
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^just-bash$/ }, () => ({ path: source, sideEffects: false }));
        // Needed only by the dropped commands; `ls` would match globs that the shell has already expanded.
        onResolve({ filter: /^(turndown|diff|minimatch|node:zlib)$/ }, ({ path }) => ({
          path,
          namespace: "unused",
          sideEffects: false,
        }));
        onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "exports.minimatch = () => false;" }));
        onLoad({ filter: /just-bash[/\\]dist[/\\]bundle[/\\]browser\.js$/ }, () => ({ contents: text, loader: "js" }));
      },
    },
  ],
  bundle: true,
  write: false,
  minify: true,
  format: "esm",
  platform: "neutral",
  mainFields: ["module", "main"],
  target: "es2022",
  legalComments: "inline",
});
const banner = `// just-bash ${version} (Apache-2.0, see LICENSE beside this file), changed by scripts/bundle-just-bash.mjs; do not edit.`;
const interfaces = ["vendor/just-bash.d.ts", "src/worker/bash-file-system.ts"];
const outside = interfaces.map((path) => readFileSync(`${root}packages/shell/${path}`, "utf8")).join("\n");
const used = dropUnusedMethods(outputFiles[0].text, outside);
const { code } = await transform(used, { minify: true, format: "esm", target: "es2022", legalComments: "inline" });
const created = `${banner}\n${meterLoops(code, "loadBash")}`;

if (process.argv.includes("--check")) {
  if (!existsSync(target) || readFileSync(target, "utf8") !== created) {
    console.error(
      "packages/shell/vendor/just-bash.js is not what the dependency gives: run `npm run vendor:just-bash`.",
    );
    process.exit(1);
  }
} else {
  writeFileSync(target, created);
  console.error(`packages/shell/vendor/just-bash.js: ${created.length} bytes`);
}
