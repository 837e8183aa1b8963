// The API report: what each public subpath of the two libraries declares, in packages/<name>/api/<subpath>.d.ts. It is made from the
// declarations of `npm run build`, so that a change of the public surface shows in a diff. `npm run api:generate` writes it; with
// `--check` it is only compared.
// - Every declaration is printed once: by the first subpath that exports it, or else by the first whose declarations refer to it.
// - Declarations are sorted by name, and comments are removed. How the build splits and names its chunks does not show.
// - What a member `[internals]` refers to, classes that are not exported and INNER are left out: they are not public.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The order decides which subpath prints a declaration that several export. */
const FIRST_SUBPATHS = ["index", "core", "git", "shell"];

/** Public declarations name them, but only the packages use what is inside: it is not printed. */
const INNER = new Set([
  ...["ContainerHost", "ShellHost", "VolumeStore", "WriteView"],
  ...["Call", "CommandCache", "DetachedContentStore", "Fingerprinted", "GitCache", "WorkBudget"],
  ...["ToolState", "WireError", "WireTarget"],
]);

const isCheck = process.argv.includes("--check");
const stale = [];
for (const name of ["workspace", "fs-tools"]) {
  const folder = `${root}packages/${name}/api`;
  const report = reportOf(name);
  for (const [subpath, text] of report) {
    const file = `${folder}/${subpath}.d.ts`;
    const old = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (old === text) continue;
    stale.push(`packages/${name}/api/${subpath}.d.ts:\n${firstDifference(old, text)}`);
    if (isCheck) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const file of existsSync(folder) ? readdirSync(folder, { recursive: true }) : []) {
    const path = file.replaceAll("\\", "/");
    if (!path.endsWith(".d.ts") || report.has(path.slice(0, -".d.ts".length))) continue;
    stale.push(`packages/${name}/api/${path}: this subpath no longer exists`);
    if (!isCheck) rmSync(`${folder}/${path}`);
  }
}
if (isCheck && stale.length > 0) {
  console.error(`The public surface differs from its API report:\n\n${stale.join("\n\n")}\n`);
  console.error("If the change is intended, run `npm run api:generate` and commit the result.");
  process.exitCode = 1;
}

function firstDifference(old, text) {
  const [before, after] = [old.split("\n"), text.split("\n")];
  const at = after.findIndex((line, index) => line !== before[index]);
  return `  line ${at + 1}, report: ${before[at] ?? "(end)"}\n  line ${at + 1}, build:  ${after[at] ?? "(end)"}`;
}

/** Whether a declaration is not printed unless it is exported. */
function isInner(local, { text }) {
  return INNER.has(baseName(local)) || /^(?:abstract )?class /.test(text);
}

/** The text of each subpath. */
function reportOf(name) {
  const built = `${root}dist/build/${name}`;
  const { exports } = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8"));
  const rank = (subpath) => (FIRST_SUBPATHS.indexOf(subpath) + 1 || FIRST_SUBPATHS.length + 1) + subpath;
  const subpaths = Object.keys(exports)
    .map((path) => (path === "." ? "index" : path.slice(2)))
    .sort((a, b) => compare(rank(a), rank(b)));
  const modules = new Map();
  const load = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(readFileSync(`${built}/${file}`, "utf8"), file));
    return modules.get(file);
  };
  /** The declaration that a local name of a module refers to; null for a global. */
  const resolve = (file, local) => {
    const { declarations, imports } = load(file);
    if (declarations.has(local)) return declarations.get(local);
    const imported = imports.get(local);
    if (imported === undefined) return null;
    if (!imported.from.startsWith(".")) return external(modules, imported);
    const target = posix.join(posix.dirname(file), imported.from.replace(/\.js$/, ".d.ts"));
    return resolve(target, load(target).exports.get(imported.name));
  };

  // Exported declarations first, so that each has its public name; then what they refer to.
  const surface = new Map();
  const names = new Map(subpaths.map((subpath) => [subpath, new Set()]));
  const place = (declaration, subpath, wanted, isExported) => {
    const name = declaration.from === undefined ? freeName(wanted, names.get(subpath)) : declaration.imported;
    Object.assign(declaration, { subpath, name, isExported });
  };
  for (const subpath of subpaths) {
    const exported = [...load(`${subpath}.d.ts`).exports].map(([as, local]) => {
      const declaration = resolve(`${subpath}.d.ts`, local);
      if (declaration === null) throw new Error(`${subpath} exports ${as}, which is not declared`);
      return [as, declaration];
    });
    exported.sort(([a], [b]) => compare(a, b));
    surface.set(subpath, exported);
    for (const [as, declaration] of exported)
      if (declaration.subpath === undefined) place(declaration, subpath, as, true);
  }
  for (const subpath of subpaths) {
    const queue = surface.get(subpath).map(([, declaration]) => declaration);
    for (const declaration of queue) {
      if (INNER.has(declaration.name)) continue;
      const found = declaration.references
        .map(({ local }) => [local, resolve(declaration.file, local)])
        .filter(([local, each]) => each !== null && !isInner(local, each));
      found.sort(([a, x], [b, y]) => compare(baseName(a), baseName(b)) || compare(x.text, y.text));
      for (const [local, each] of found) {
        if (each.subpath !== undefined) continue;
        place(each, subpath, baseName(local), false);
        queue.push(each);
      }
    }
  }
  const all = [...modules.values()].flatMap(({ declarations }) => [...declarations.values()]);
  return new Map(subpaths.map((subpath) => [subpath, print(subpath, surface.get(subpath), all, resolve)]));
}

function print(subpath, exported, all, resolve) {
  const own = all.filter((each) => each.subpath === subpath && each.from === undefined);
  own.sort((a, b) => compare(a.name, b.name));
  /** The local names of what other files declare. */
  const aliases = new Map();
  const taken = new Set(own.map(({ name }) => name));
  const nameOf = (target) => {
    if (own.includes(target)) return target.name;
    if (!aliases.has(target)) aliases.set(target, freeName(target.name, taken));
    return aliases.get(target);
  };
  const texts = new Map(own.map((each) => [each, textOf(each, resolve, nameOf)]));
  const moduleOf = (target) => {
    const path = target.from ?? posix.relative(posix.dirname(subpath), `${target.subpath}.d.ts`);
    return target.from !== undefined || path.startsWith(".") ? path : `./${path}`;
  };
  const reexports = exported.filter(([as, each]) => !own.includes(each) || each.name !== as);
  const section = (isExported) => own.filter((each) => each.isExported === isExported).map((each) => texts.get(each));
  const hidden = section(false);
  return `${[
    "// Made by `npm run api:generate`. Do not edit it.",
    ...links(
      "import",
      [...aliases].map(([each, as]) => [moduleOf(each), each.name, as]),
    ),
    ...links(
      "export",
      reexports.map(([as, each]) => [moduleOf(each), each.name, as]),
    ),
    ...section(true).map((text) => `export ${text}`),
    ...(hidden.length > 0 ? ["// Not exported; the declarations above refer to them.", ...hidden] : []),
    "export {};",
  ].join("\n\n")}\n`;
}

/** One statement for each module. `names`: the module, the name there, the name here. */
function links(keyword, names) {
  const modules = new Map(names.map(([module]) => [module, []]));
  for (const [module, name, as] of names) modules.get(module).push(name === as ? `  ${name},` : `  ${name} as ${as},`);
  return [...modules]
    .sort(([a], [b]) => compare(a, b))
    .map(([module, lines]) => `${keyword} {\n${lines.sort(compare).join("\n")}\n} from "${module}";`);
}

function freeName(wanted, taken) {
  let free = wanted;
  for (let suffix = 1; taken.has(free); suffix += 1) free = `${wanted}_${suffix}`;
  taken.add(free);
  return free;
}

/** The declaration under the names of the report. */
function textOf(declaration, resolve, nameOf) {
  const renames = [{ start: declaration.nameStart, local: declaration.local, target: declaration }];
  for (const { start, local } of declaration.references) {
    const target = resolve(declaration.file, local);
    if (target?.name !== undefined) renames.push({ start, local, target });
  }
  let text = "";
  let end = 0;
  for (const { start, local, target } of renames.sort((a, b) => a.start - b.start)) {
    text += declaration.text.slice(end, start) + nameOf(target);
    end = start + local.length;
  }
  return text + declaration.text.slice(end);
}

/** The declarations, imports and exports of a built file. */
function readModule(source, file) {
  const { program, comments, errors } = parseSync(file, source, { lang: "dts" });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const module = { declarations: new Map(), imports: new Map(), exports: new Map() };
  for (const node of program.body) {
    if (node.type === "ImportDeclaration")
      for (const { type, imported, local } of node.specifiers) {
        const name = type === "ImportSpecifier" ? imported.name : type === "ImportDefaultSpecifier" ? "default" : "*";
        module.imports.set(local.name, { from: node.source.value, name });
      }
    else if (node.type === "ExportNamedDeclaration" && node.declaration === null && node.source === null)
      for (const { exported, local } of node.specifiers) module.exports.set(exported.name, local.name);
    else for (const one of declarationsOf(node)) add(one);
  }
  return module;

  /** Overloads are one declaration. */
  function add({ id, node }) {
    const known = module.declarations.get(id.name);
    const { text, at } = withoutComments(source, node, comments);
    const references = referencesIn(node).map(({ name, start }) => ({ local: name, start: at(start) }));
    if (known === undefined) {
      const nameStart = at(id.start);
      module.declarations.set(id.name, { file, local: id.name, nameStart, text, references });
      return;
    }
    const shift = known.text.length + 1;
    known.text += `\n${text}`;
    known.references.push(
      ...[...references, { local: id.name, start: at(id.start) }].map(({ local, start }) => ({
        local,
        start: start + shift,
      })),
    );
  }
}

function declarationsOf(node) {
  if (node.type === "VariableDeclaration" && node.declarations.length === 1)
    return [{ id: node.declarations[0].id, node }];
  if (node.id?.type === "Identifier") return [{ id: node.id, node }];
  throw new Error(`the API report cannot print ${node.type}`);
}

/** The text of a declaration, and where an offset of the file is in it. */
function withoutComments(source, { start, end }, comments) {
  const cuts = [...comments.filter((each) => each.start >= start && each.end <= end)].map((each) => {
    const lineStart = source.lastIndexOf("\n", each.start) + 1;
    const hasOwnLine = source.slice(lineStart, each.start).trim() === "" && source[each.end] === "\n";
    return hasOwnLine ? { start: Math.max(start, lineStart), end: each.end + 1 } : each;
  });
  const declare = /^declare /.exec(source.slice(start, end));
  if (declare !== null) cuts.unshift({ start, end: start + declare[0].length });
  let text = "";
  let from = start;
  for (const cut of cuts) {
    text += source.slice(from, cut.start);
    from = cut.end;
  }
  text += source.slice(from, end);
  const at = (offset) =>
    offset - start - cuts.reduce((sum, cut) => sum + (cut.end <= offset ? cut.end - cut.start : 0), 0);
  return { text, at };
}

/** The identifiers that name another declaration, but for those of a member `[internals]`. */
function referencesIn(declaration) {
  const found = [];
  const take = (node) => {
    if (node?.type === "TSQualifiedName") take(node.left);
    else if (node?.type === "MemberExpression") take(node.object);
    else if (node?.type === "Identifier") found.push(node);
  };
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== "object") return;
    if (node.computed === true && node.key?.name === "internals") return;
    if (node.type === "TSTypeReference") take(node.typeName);
    if (node.type === "TSTypeQuery") take(node.exprName);
    if (node.type === "TSInterfaceHeritage" || node.type === "TSClassImplements") take(node.expression);
    if (node.superClass) take(node.superClass);
    if (node.computed === true) take(node.key);
    Object.values(node).forEach(visit);
  };
  visit(declaration);
  return found;
}

/** What another package declares: one entry for each of its names. */
function external(modules, { from, name }) {
  if (!modules.has(from)) modules.set(from, { declarations: new Map() });
  const { declarations } = modules.get(from);
  if (!declarations.has(name)) declarations.set(name, { from, imported: name, text: "", references: [] });
  return declarations.get(name);
}

/** The build appends `$1` to a name that another file of a chunk declares too. */
function baseName(local) {
  return local.replace(/\$\d+$/, "");
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
