// Drops methods of classes that nothing names: a bundler keeps them, because any object could have the name. just-bash's regular
// expressions and parsers have some thirty.
import { parseAst } from "vite";

/** `interfaces`: a text with the names that are used from outside. */
export function dropUnusedMethods(text, interfaces) {
  const outside = new Set(interfaces.match(/[\w$]+/g));
  for (;;) {
    const uses = new Map();
    for (const name of text.match(/[A-Za-z_$][\w$]*/g)) uses.set(name, (uses.get(name) ?? 0) + 1);
    const methods = [];
    visit(parseAst(text), (node) => {
      if (
        node.type === "MethodDefinition" &&
        node.kind === "method" &&
        !node.computed &&
        node.key.type === "Identifier"
      )
        methods.push(node);
    });
    for (const { key } of methods) uses.set(key.name, uses.get(key.name) - 1);
    const unused = methods.filter(({ key: { name } }) => uses.get(name) === 0 && !outside.has(name) && !(name in {}));
    if (unused.length === 0) return text;
    for (const { start, end } of unused.reverse()) text = text.slice(0, start) + text.slice(end);
  }
}

function visit(node, see) {
  see(node);
  for (const key in node)
    for (const child of [node[key]].flat()) if (typeof child?.type === "string") visit(child, see);
}
