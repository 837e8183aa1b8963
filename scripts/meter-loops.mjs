// Makes a bundled ES module cooperative: the module becomes a function of a meter (WorkBudget in packages/protocol), and every loop
// and every function of it counts its work there. Async code yields when a pause is due; synchronous code cannot wait, and fails
// when the meter reports that it has run too long. Work inside the runtime counts by length: the input and the output of a method.
// Each run has its own module instance, which identifies whose work it does.
import { parseAst } from "vite";

/** Methods that read their whole receiver. */
const READ_RECEIVER = words(
  "split replace replaceAll match matchAll join sort reverse map filter some every forEach reduce flatMap flat concat fill splice shift unshift toLowerCase toUpperCase trim entries",
);
/** Methods that read a whole array, but only part of a string. */
const READ_ARRAY = words("slice includes indexOf lastIndexOf find findIndex");
const READ_ARGUMENT = words("test append encode decode parse appendResult write from keys values");
const MAKE_RESULT = words(
  "join repeat replace replaceAll padStart padEnd stringify concat toLowerCase toUpperCase keys values entries decode from",
);
const CONSTRUCTORS = words("Set Map Uint8Array");
const BUILT_IN = words(
  "split replace match join sort reverse map filter some every slice substring includes indexOf startsWith endsWith test exec push pop get set has add delete charCodeAt codePointAt charAt at fromCharCode min max floor isArray isSafeInteger",
);
const CHEAP = words("charCodeAt codePointAt charAt fromCharCode fromCodePoint push pop at");
/** Built-in objects, not values of a script. */
const NAMESPACES = words("JSON Object Array Math Number String Promise Date Symbol Reflect Error");

const SYNC = "$$T();";
const TIGHT = "$$t();";
const ASYNC = "$$D()&&await $$P();";

/**
 * `name`: of the function, which returns the module's exports. One of them, `workError`, converts an error of the meter to one that
 * the module lets through.
 */
export function meterLoops(text, name) {
  if (/\$\$[TtDMPSWAGJOVnd]\b/.test(text))
    throw new Error("expected a bundle that does not use the names of the meter");
  const program = parseAst(text);
  const marks = new Marks(text);
  const exported = program.body.filter(({ type }) => type === "ExportNamedDeclaration");
  if (exported.length !== 1 || program.body.some(({ type }) => type === "ImportDeclaration"))
    throw new Error("expected a bundle with one export list and no import");
  for (const statement of program.body)
    if (statement !== exported[0]) meter(statement, { marks, isAsync: false, inChain: false });
  const names = Object.fromEntries(exported[0].specifiers.map(({ local, exported: as }) => [as.name, local.name]));
  marks.remove(exported[0]);
  const { workError, ...rest } = names;
  const result = Object.entries(rest).map(([as, local]) => `${as}:${local}`);
  return `export function ${name}($$M){${prelude(workError)}${marks.apply()}return{${result}}}\n`;
}

/**
 * `$$n` counts eighths of a step: an iteration of a tight loop is one, every other iteration and every call is eight, and 64 bytes
 * are eight. The meter is charged in batches: a call for every step would cost more than the step. After an error every further
 * step fails too, so that no `catch` inside a loop continues; code that can wait continues after a pause.
 */
function prelude(workError) {
  return [
    "const $$G=8000;let $$n=$$G,$$d=!1;",
    "function $$S(canWait){const used=$$G-$$n;$$n=$$G;try{$$M.spend(used>>>3);$$d=$$M.isDue}catch(error){",
    `if(canWait&&error.code==="STRETCH"){$$d=!0;return}const e=${workError}(error);$$n=0;throw e}}`,
    "function $$T(){($$n-=8)<0&&$$S()}",
    "function $$t(){--$$n<0&&$$S()}",
    "function $$D(){($$n-=8)<0&&$$S(!0);return $$d}",
    "function $$P(){$$d=!1;return $$M.pause()}",
    "function $$W(x){if(x!=null){const n=x.length??x.size;n>64&&($$n-=n>>>3)<0&&$$S()}return x}",
    "function $$A(x){if(Array.isArray(x)){const n=x.length;n>64&&($$n-=n>>>3)<0&&$$S()}return x}",
    // A value that repeatedly holds the same array twice is small but serializes endlessly: it is counted as it will be read.
    "function $$J(x){const s=[x];while(s.length>0){const v=s.pop();($$n-=8)<0&&$$S();if(typeof v==='string')$$W(v);",
    "else if(Array.isArray(v)){for(const y of v)s.push(y)}else if(v!==null&&typeof v==='object')for(const k in v)s.push($$W(k),v[k])}return x}",
    "function $$V(x){return x!==null&&typeof x==='object'?$$J(x):x}",
    "function $$O(x){if(x!==null&&typeof x==='object'&&!Array.isArray(x)){const n=Object.keys(x).length;n>8&&($$n-=n*16)<0&&$$S()}return x}",
  ].join("");
}

function meter(node, state) {
  let next = state;
  const { marks } = state;
  if (/Function/.test(node.type)) {
    next = { ...state, isAsync: node.async, inChain: false };
    if (mayRecur(node.body) && node.body.type === "BlockStatement")
      marks.insert(node.body.start + 1, node.async ? ASYNC : SYNC);
  } else if (node.type === "StaticBlock" || node.type === "PropertyDefinition") next = { ...state, isAsync: false };
  else if (/^(For|While|DoWhile)/.test(node.type)) meterLoop(node, state);
  else if (node.type === "ChainExpression") next = { ...state, inChain: true };
  else if (node.type === "CallExpression") meterCall(node, state);
  else if (node.type === "NewExpression" && CONSTRUCTORS.has(node.callee.name)) weigh(node.arguments[0], marks);
  else if (node.type === "SpreadElement") weigh(node.argument, marks);
  else if (node.type === "ObjectExpression")
    for (const { type, argument } of node.properties)
      if (type === "SpreadElement" && argument.type !== "ObjectExpression") marks.wrap(argument, "$$O(", ")");
  for (const key in node)
    for (const child of [node[key]].flat()) if (typeof child?.type === "string") meter(child, next);
}

function meterLoop(loop, { marks, isAsync }) {
  const { body } = loop;
  const code = isAsync ? ASYNC : parts(loop).every(isTight) ? TIGHT : SYNC;
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
  if (READ_ARGUMENT.has(method)) weigh(node.arguments[0], marks);
  if (object.name === "JSON" && method === "stringify") marks.wrap(node.arguments[0], "$$J(", ")");
  if (object.name === "Object" && method === "assign")
    for (const source of node.arguments.slice(1)) if (source.type !== "SpreadElement") marks.wrap(source, "$$O(", ")");
  if (!isValue(object)) return;
  if (method === "flat") marks.wrap(object, "$$J(", ")");
  if (READ_RECEIVER.has(method)) marks.wrap(object, "$$W(", ")");
  else if (READ_ARRAY.has(method) && method !== "slice") marks.wrap(object, "$$A(", ")");
}

function weigh(node, marks) {
  if (node && node.type !== "Literal" && node.type !== "SpreadElement") marks.wrap(node, "$$W(", ")");
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
