// Makes a bundled ES module cooperative: the module becomes a function of a meter (WorkBudget in packages/protocol), and every loop
// and every function of it counts its work there. Async code yields when a pause is due; synchronous code cannot wait, and fails
// when the meter reports that it has run too long. Work inside the runtime counts by length: the input and the output of a method.
// Each run has its own module instance, which identifies whose work it does.
import { parseAst } from "vite";

/** Methods that read their whole receiver. */
const READ_RECEIVER = words(
  "split replace replaceAll join reverse flat concat fill splice shift unshift toLowerCase toUpperCase trim entries",
);
/** Methods that call a function for every element, and those that search a string with a regular expression. */
const VISIT_RECEIVER = words("map filter some every forEach reduce flatMap match matchAll search");
/** Methods that read a whole array, but only part of a string. */
const READ_ARRAY = words("slice lastIndexOf find findIndex");
const READ_ARGUMENT = words("append encode decode appendResult write");
/** Those of JSON, Object, Array and RegExp, which take some time for each character or element. */
const VISIT_ARGUMENT = words("test exec parse from");
const MAKE_RESULT = words(
  "join repeat replace replaceAll padStart padEnd stringify concat toLowerCase toUpperCase decode from match",
);
/** Methods of Object that make an array of all names or values: slow for the large objects that hold a script's arrays. */
const LIST_OBJECT = words("keys values entries fromEntries");
const CONSTRUCTORS = words("Set Map Uint8Array");
/** Methods whose work depends on the matches, or on where the first is: they are called through a function that counts it. */
const COUNTED = new Map([
  ["replace", "$$R("],
  ["replaceAll", "$$L("],
  ["split", "$$Y("],
  ["indexOf", "$$F("],
  ["includes", "$$U("],
]);
const BUILT_IN = words(
  "split replace match join sort reverse map filter some every slice substring includes indexOf startsWith endsWith test exec push pop get set has add delete charCodeAt codePointAt charAt at fromCharCode min max floor isArray isSafeInteger",
);
const CHEAP = words("charCodeAt codePointAt charAt fromCharCode fromCodePoint push pop at");
/** Built-in objects, not values of a script. */
const NAMESPACES = words("JSON Object Array Math Number String Promise Date Symbol Reflect Error");

const SYNC = "$$T();";
const TIGHT = "$$t();";
/** Makes an array, an object or a function: collecting them takes longer than making them. */
const ALLOCATING = "$$a();";
const ASYNC = "$$D()&&await $$P();";

/**
 * `name`: of the function, which returns the module's exports. One of them, `workError`, converts an error of the meter to one that
 * the module lets through.
 */
export function meterLoops(text, name) {
  if (/\$\$[A-Za-z]\b/.test(text)) throw new Error("expected a bundle that does not use the names of the meter");
  const program = parseAst(text);
  const marks = new Marks(text);
  const asyncNames = new Set(program.body.filter((node) => node.async).map(({ id }) => id.name));
  const exported = program.body.filter(({ type }) => type === "ExportNamedDeclaration");
  if (exported.length !== 1 || program.body.some(({ type }) => type === "ImportDeclaration"))
    throw new Error("expected a bundle with one export list and no import");
  for (const statement of program.body)
    if (statement !== exported[0]) meter(statement, { marks, asyncNames, isAsync: false, inChain: false });
  const names = Object.fromEntries(exported[0].specifiers.map(({ local, exported: as }) => [as.name, local.name]));
  marks.remove(exported[0]);
  const { workError, ...rest } = names;
  const result = Object.entries(rest).map(([as, local]) => `${as}:${local}`);
  return `export function ${name}($$M){${prelude(workError)}${marks.apply()}return{${result}}}\n`;
}

/**
 * `$$n` counts eighths of a step: an iteration of a tight loop is one, every other iteration and every call is eight, and 64 bytes
 * are eight. The meter is charged in batches: a call for every step would cost more than the step. After an error every further
 * step fails too, so that no `catch` inside a loop continues; code that can wait continues after a pause. After an abort all of
 * them fail with one error: thousands of nested calls may end then, and an error of its own for each takes longer than the call.
 */
function prelude(workError) {
  return [
    "const $$G=8000;let $$n=$$G,$$d=!1,$$e;",
    "function $$S(canWait){if($$e){$$n=0;throw $$e}const used=$$G-$$n;$$n=$$G;try{$$M.spend(used>>>3);$$d=$$M.isDue}catch(error){",
    `if(canWait&&error.code==="STRETCH"){$$d=!0;return}const e=${workError}(error);$$n=0;if(error.code==="ABORTED")$$e=e;throw e}}`,
    "function $$T(){($$n-=8)<0&&$$S()}",
    "function $$a(){($$n-=24)<0&&$$S()}",
    "function $$t(){--$$n<0&&$$S()}",
    "function $$D(){($$n-=8)<0&&$$S(!0);return $$d}",
    "function $$P(){$$d=!1;return $$M.pause()}",
    "function $$W(x){if(x!=null){const n=x.length??x.size;n>64&&($$n-=n>>>3)<0&&$$S()}return x}",
    "function $$A(x){if(Array.isArray(x)){const n=x.length;n>8&&($$n-=n*2)<0&&$$S()}return x}",
    // A function or a regular expression for every element or character; a comparison for n log n pairs; a new entry for each element.
    "function $$H(x){if(x!=null){const n=x.length;n>64&&($$n-=typeof x==='string'?n>>>1:n*2)<0&&$$S()}return x}",
    "function $$Q(x){const n=x?.length;n>64&&($$n-=n*2*(32-Math.clz32(n)))<0&&$$S();return x}",
    "function $$K(x){if(x!=null){const n=x.length??x.size;n>16&&($$n-=n*16)<0&&$$S()}return x}",
    "function $$E(x){if(x!=null){const n=x.length??x.size;n>8&&($$n-=typeof x==='string'?n*8:n<1e3?n*6:n*2)<0&&$$S()}return x}",
    // Replaces and splits count every match before it takes memory.
    // A literal is counted first, which is fast; any other pattern as its matches are replaced.
    "const $$B=/^[\\w ,;:<>&'\"=%@#!~`\\n-]+$/;",
    "function $$I(x,s){for(let i=-1;(i=x.indexOf(s,i+1))>=0;)($$n-=16)<0&&$$S()}",
    "function $$C(x,p,r){if(typeof x!=='string'||x.length<4096)return r;($$n-=x.length>>>1)<0&&$$S();",
    "if(typeof r==='function')return(...a)=>{($$n-=64)<0&&$$S();return r(...a)};",
    "if(typeof r!=='string'||/\\$[^&]/.test(r)){($$n-=x.length*2)<0&&$$S();return r}",
    "if(typeof p==='string'?p!=='':p.flags==='g'&&$$B.test(p.source))return $$I(x,p.source??p),r;",
    "return m=>{($$n-=64)<0&&$$S();return r.replaceAll('$&',()=>m)}}",
    "function $$R(x,p,r){return x.replace(p,$$C(x,p,r))}",
    "function $$L(x,p,r){return x.replaceAll(p,$$C(x,p,r))}",
    "function $$Y(x,s){if(typeof x!=='string'||x.length<4096)return x.split(s);($$n-=x.length>>>1)<0&&$$S();",
    "if(s==='')($$n-=x.length*4)<0&&$$S();else if(typeof s==='string')$$I(x,s);",
    "else if(s)x.replace(RegExp(s,s.flags.replace('g','')+'g'),()=>{($$n-=64)<0&&$$S();return''});return x.split(s)}",
    // A value that repeatedly holds the same array twice is small but serializes endlessly: it is counted as it will be read.
    // How far a search went. A search in a loop is quadratic when it goes to the end each time.
    "function $$F(x,s,i){const r=x.indexOf(s,i),n=(r<0?x.length:r)-(i>0?i:0);n>64&&($$n-=typeof x==='string'?n>>>3:n)<0&&$$S();return r}",
    "function $$U(x,s){if(typeof x==='string')return $$F(x,s)>=0;$$A(x);return x.includes(s)}",
    "function $$J(x){const s=[x];while(s.length>0){const v=s.pop();($$n-=8)<0&&$$S();if(typeof v==='string')$$W(v);",
    "else if(Array.isArray(v)){for(const y of v)s.push(y)}else if(v!==null&&typeof v==='object')for(const k in v)s.push($$W(k),v[k])}return x}",
    "function $$V(x){return x!==null&&typeof x==='object'?$$J(x):x}",
    "function $$O(x){if(x!==null&&typeof x==='object'&&!Array.isArray(x)){const n=Object.keys(x).length;($$n-=n*16+64)<0&&$$S()}return x}",
  ].join("");
}

/**
 * Functions inside `new Promise` handle events, the other two end what an error left open. None may fail after an abort: nothing
 * would catch it.
 */
function isHandler({ type, callee, key, kind }) {
  if (type === "NewExpression") return callee.name === "Promise";
  return kind === "constructor" || (type === "Property" && /^(revoke|cleanup|release)$/.test(key.name));
}

function meter(node, state) {
  let next = state;
  const { marks } = state;
  if (/Function/.test(node.type)) {
    next = { ...state, isAsync: node.async, inChain: false };
    if (node.body.type === "BlockStatement" && !state.isHandler && (mayRecur(node.body) || allocates(node.body)))
      marks.insert(node.body.start + 1, node.async ? ASYNC : allocates(node.body) ? ALLOCATING : SYNC);
  } else if (node.type === "BlockStatement" && state.isAsync) {
    for (const statement of node.body.slice(1)) if (isStep(statement, state)) marks.insert(statement.start, ASYNC);
  } else if (node.type === "StaticBlock" || node.type === "PropertyDefinition") next = { ...state, isAsync: false };
  else if (/^(For|While|DoWhile)/.test(node.type)) meterLoop(node, state);
  else if (node.type === "ChainExpression") next = { ...state, inChain: true };
  else if (node.type === "CallExpression") meterCall(node, state);
  else if (isHandler(node)) next = { ...state, isHandler: true };
  else if (node.type === "NewExpression" && CONSTRUCTORS.has(node.callee.name))
    weigh(node.arguments[0], marks, node.callee.name === "Uint8Array" ? "$$W(" : "$$K(");
  else if (node.type === "SpreadElement") weigh(node.argument, marks, "$$E(");
  else if (node.type === "ObjectExpression")
    for (const { type, argument } of node.properties)
      if (type === "SpreadElement" && argument.type !== "ObjectExpression") marks.wrap(argument, "$$O(", ")");
  for (const key in node)
    for (const child of [node[key]].flat()) if (typeof child?.type === "string") meter(child, next);
}

function meterLoop(loop, { marks, isAsync }) {
  const { body } = loop;
  const code = isAsync ? ASYNC : allocates(body) ? ALLOCATING : parts(loop).every(isTight) ? TIGHT : SYNC;
  if (body.type === "BlockStatement") marks.insert(body.start + 1, code);
  else marks.wrap(body, `{${code}`, "}");
}

/**
 * Whether a function calls others of the module. One that does not is bounded by its loops, and most such functions are called
 * often.
 */
function mayRecur(node) {
  if (node.type === "NewExpression" || node.type === "AwaitExpression") return true;
  if (node.type === "CallExpression" && !BUILT_IN.has(node.callee.property?.name)) return true;
  return !/Function|Throw/.test(node.type) && parts(node).some(mayRecur);
}

/** A statement that calls a function which does not pause by itself. In async code several in a row can pause in between. */
function isStep({ type, ...statement }, { asyncNames }) {
  if (!/^(Expression|Return|Variable)/.test(type)) return false;
  const call = statement.argument ?? statement.expression;
  const { callee } = call?.type === "AwaitExpression" ? call.argument : (call ?? {});
  return calls(statement) > (asyncNames.has(callee?.name) ? 1 : 0);
}

function calls(node) {
  if (/Function/.test(node.type)) return 0;
  const { property } = node.type === "CallExpression" ? node.callee : {};
  const own = node.type === "CallExpression" && !CHEAP.has(property?.name) ? 1 : 0;
  return own + parts(node).reduce((sum, part) => sum + calls(part), 0);
}

/** Whether it makes a value that the runtime must collect, outside of the loops and functions inside. */
function allocates(node) {
  if (/^(Array|Object|New|Arrow|Function)/.test(node.type) && /Expression$/.test(node.type)) return true;
  return !/^(For|While|DoWhile|Throw)|Function/.test(node.type) && parts(node).some(allocates);
}

/** Only arithmetic on characters, which the engine compiles to a few instructions. */
function isTight(node) {
  if (node.type === "ThrowStatement") return true;
  if (/Function|^(For|While|DoWhile|New|Tagged|Spread|Await|Yield)/.test(node.type)) return false;
  if (node.type === "CallExpression" && !CHEAP.has(node.callee.property?.name)) return false;
  return parts(node).every(isTight);
}

function parts(node) {
  return Object.values(node)
    .flat()
    .filter((part) => typeof part?.type === "string");
}

function meterCall(node, { marks, inChain }) {
  const { callee } = node;
  if (callee.name === "String" && node.arguments.length === 1) marks.wrap(node.arguments[0], "$$V(", ")");
  if (callee.type !== "MemberExpression" || callee.computed) return;
  const method = callee.property.name;
  const { object } = callee;
  if (MAKE_RESULT.has(method) && !inChain) marks.wrap(node, "$$W(", ")");
  else if (method === "slice" && !inChain) marks.wrap(node, "$$A(", ")");
  else if (LIST_OBJECT.has(method) && object.name === "Object") marks.wrap(node, "$$K(", ")");
  if (READ_ARGUMENT.has(method)) weigh(node.arguments[0], marks);
  if (VISIT_ARGUMENT.has(method)) weigh(node.arguments[0], marks, method === "from" ? "$$E(" : "$$H(");
  if (object.name === "JSON" && method === "stringify") marks.wrap(node.arguments[0], "$$J(", ")");
  if (object.name === "Object" && method === "assign")
    for (const source of node.arguments.slice(1)) if (source.type !== "SpreadElement") marks.wrap(source, "$$O(", ")");
  if (!isValue(object)) return;
  if (method === "flat") marks.wrap(object, "$$J(", ")");
  if (isCounted(node, marks) && !inChain) {
    marks.insert(node.start, COUNTED.get(method));
    marks.remove({ start: callee.property.start - 1, end: node.arguments[0].start });
    marks.insert(node.arguments[0].start, ",");
  } else if (READ_RECEIVER.has(method)) marks.wrap(object, "$$W(", ")");
  else if (VISIT_RECEIVER.has(method)) marks.wrap(object, "$$H(", ")");
  else if (method === "sort") marks.wrap(object, "$$Q(", ")");
  else if (READ_ARRAY.has(method) && method !== "slice") marks.wrap(object, "$$A(", ")");
}

/** Whether `x.replace(a,b)` can be written as `f(x,a,b)`. */
function isCounted({ callee, arguments: args }, marks) {
  const { name, start } = callee.property;
  const wanted = name === "indexOf" ? args.length : /^replace/.test(name) ? 2 : 1;
  if (!COUNTED.has(name) || args.length !== wanted || args[0] === undefined || args[0].type === "SpreadElement")
    return false;
  return marks.text.slice(start - 1, args[0].start) === `.${name}(`;
}

function weigh(node, marks, how = "$$W(") {
  if (node && node.type !== "Literal" && node.type !== "SpreadElement") marks.wrap(node, how, ")");
}

/** Excludes expressions that a surrounding call would break: `super`, and the rest of an optional chain. */
function isValue(node) {
  if (node.type === "Super" || node.type === "Literal" || NAMESPACES.has(node.name)) return false;
  for (let part = node; part; part = part.object ?? part.callee) if (part.optional) return false;
  return true;
}

/** Insertions into a text, by position. At one position, later insertions are nested further inside. */
class Marks {
  #text;
  #opening = new Map();
  #closing = new Map();

  constructor(text) {
    this.#text = text;
  }

  get text() {
    return this.#text;
  }

  insert(at, code) {
    this.#opening.set(at, (this.#opening.get(at) ?? "") + code);
  }

  wrap({ start, end }, before, after) {
    this.insert(start, before);
    this.#closing.set(end, after + (this.#closing.get(end) ?? ""));
  }

  remove({ start, end }) {
    this.#text = this.#text.slice(0, start) + " ".repeat(end - start) + this.#text.slice(end);
  }

  apply() {
    const places = [...new Set([...this.#opening.keys(), ...this.#closing.keys()])].sort((a, b) => a - b);
    let out = "";
    let from = 0;
    for (const at of places) {
      const before = this.#text.slice(from, at) + (this.#closing.get(at) ?? "");
      const opening = this.#opening.get(at) ?? "";
      out += before + (/\w$/.test(before) && opening.startsWith("$") ? " " : "") + opening;
      from = at;
    }
    return out + this.#text.slice(from);
  }
}

function words(text) {
  return new Set(text.split(" "));
}
