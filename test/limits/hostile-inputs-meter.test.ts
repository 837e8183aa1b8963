/**
 * What a metered module may do before its meter stops it: every native call that is slow on a long value counts its work first.
 * scripts/meter-loops.mjs makes such a module of just-bash.
 */
import { createWorkBudget, WorkError } from "@workspace/protocol";
import { expect, it } from "vitest";
import { longTextFunctions } from "../../scripts/just-bash-long-texts.mjs";
import { meterLoops } from "../../scripts/meter-loops.mjs";

const STRETCH = 1_000_000;
const LONG = 5_000_000;

/** Compiles `run`, a function of one value and a counter of callbacks, and returns the steps and callbacks until it ended. */
async function measure(run: string, value: unknown): Promise<{ steps: number; calls: number; stopped: boolean }> {
  const source = `const run=${run};const toError=(e)=>e;export{run,toError as workError};`;
  const module = await import(`data:text/javascript,${encodeURIComponent(meterLoops(source, "load"))}`);
  const budget = createWorkBudget({ stretchSteps: STRETCH });
  let calls = 0;
  let stopped = false;
  try {
    await module.load(budget).run(value, () => {
      calls++;
      return "";
    });
  } catch (error) {
    if (!(error instanceof WorkError)) throw error;
    stopped = true;
  }
  return { steps: budget.used.steps, calls, stopped };
}

const text = "ab".repeat(LONG / 2);
const array = Array.from({ length: LONG }, (_, i) => LONG - i);
const object = Object.fromEntries(Array.from({ length: 600_000 }, (_, i) => [`key${i}`, i]));

it.each([
  ["a replacement by a function", "(x,f)=>{return x.replace(/[ab]/g,()=>f())}", text],
  ["a replacement by a text", "(x)=>{return x.replace(/a/g,'bb')}", text],
  ["a replacement of a pattern", "(x)=>{return x.replace(/[ab]/g,'<$&>')}", text],
  ["replaceAll", "(x)=>{return x.replaceAll('a','bb')}", text],
  ["a split at a character", "(x)=>{return x.split('a')}", text],
  ["a split at a pattern", "(x)=>{return x.split(/[ab]/)}", text],
  ["a split into characters", "(x)=>{return x.split('')}", text],
  ["a spread of a string", "(x)=>{return [...x]}", text],
  ["a spread of an array", "(x)=>{return [...x]}", array],
  ["searches that go to the end", "(x)=>{for(let i=0;i<1e4;i++)x.indexOf('c',i)}", text],
  ["searches of an array", "(x)=>{for(let i=0;i<1e4;i++)x.includes(-1)}", array],
  ["slices of an array", "(x)=>{for(let i=0;i<10;i++)x.slice(1)}", array],
  ["a sort", "(x)=>{return x.slice(0,3e5).sort()}", array],
  ["map with a small function", "(x)=>{return x.map(y=>y+1)}", array],
  ["the names of an object", "(x)=>{return Object.keys(x)}", object],
  ["a Set", "(x)=>{return new Set(x)}", array],
  ["objects in a loop", "(x)=>{const a=[];for(const y of x)a.push({y});return a}", array],
])("a meter stops %s before it takes long", async (_name, run, value) => {
  const { stopped, calls } = await measure(run, value);
  expect(stopped).toBe(true);
  expect(calls).toBeLessThan(200_000);
});

it("a meter counts the copy of an object with few keys, which takes longer than its keys", async () => {
  const run = "(x,f)=>{for(;;){f();Object.assign(Object.create(null),x)}}";
  const { stopped, calls } = await measure(run, { a: 1 });
  expect(stopped).toBe(true);
  expect(calls).toBeLessThan(100_000);
});

it("sed's y takes an eighth of a step for a character", async () => {
  const run = `(x)=>{${longTextFunctions}return transliterate(x,{source:"a",dest:"c"})}`;
  const { stopped, steps } = await measure(run, text);
  expect(stopped).toBe(false);
  expect(steps).toBeGreaterThan(LONG / 8);
  expect(steps).toBeLessThan(LONG / 4);
});

it("a meter lets async code pause between two calls that each take long", async () => {
  const run =
    "async(x)=>{const a=x.replace(/a/g,'b');const b=a.split('\\n');const c=x.replace(/b/g,'c');return[a,b,c]}";
  const source = `const run=${run};const toError=(e)=>e;export{run,toError as workError};`;
  const module = await import(`data:text/javascript,${encodeURIComponent(meterLoops(source, "load"))}`);
  const budget = createWorkBudget({ stretchSteps: STRETCH, pauseSteps: 100_000 });
  await module.load(budget).run(text.slice(0, 600_000));
  expect(budget.used.pauses).toBeGreaterThanOrEqual(1);
  expect(budget.used.longestStretch).toBeLessThan(budget.used.steps);
});

it("a stopped module fails with one error, however many calls end", async () => {
  const run = "(x)=>{const seen=new Set;for(let i=0;i<1000;i++){try{for(;;);}catch(e){seen.add(e)}}return seen.size}";
  const source = `const run=${run};const toError=(e)=>e;export{run,toError as workError};`;
  const module = await import(`data:text/javascript,${encodeURIComponent(meterLoops(source, "load"))}`);
  const stop = new AbortController();
  stop.abort();
  const errors = new Set<unknown>();
  const { run: runIt } = module.load(createWorkBudget({}, stop.signal));
  for (let i = 0; i < 10; i++) {
    try {
      runIt();
    } catch (error) {
      errors.add(error);
    }
  }
  expect(errors.size).toBe(1);
});
