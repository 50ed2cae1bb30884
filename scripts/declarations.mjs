import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

// Declaration files, by name: what a file declares, and where what it imports or exports is declared.

const files = new Map();

/** The statements that declare `name` as `file` knows it; undefined where another package does. */
export function find(file, name) {
  const { text, declared, elsewhere } = read(file);
  if (declared.has(name)) return { file, name, text, nodes: declared.get(name) };
  const there = elsewhere.get(name);
  return there && find(there.file, there.name);
}

/** Names of types and values that the statements refer to, in order. */
export function namesIn(nodes) {
  const names = new Set();
  const visit = (node) => {
    const heir = node.type.endsWith('Heritage') ? node.expression : node.superClass;
    const named = node.typeName ?? node.exprName ?? heir;
    if (named?.type === 'Identifier') names.add(named.name);
    const parts = Object.values(node).flat();
    for (const part of parts) if (typeof part?.type === 'string') visit(part);
  };
  nodes.forEach(visit);
  return [...names];
}

function read(file) {
  const known = files.get(file);
  if (known) return known;
  const text = readFileSync(file, 'utf8');
  const names = { text, declared: new Map(), elsewhere: new Map() };
  files.set(file, names);
  for (const node of parseAst(text, { lang: 'dts' }).body) take(node, { file, ...names });
  return names;
}

function take(node, { file, declared, elsewhere }) {
  const source = node.source?.value;
  if (source && !source.startsWith('.')) return;
  const from = source ? join(file, '..', source.replace(/\.ts$/, '.d.ts')) : file;
  for (const { local, imported, exported } of node.specifiers ?? [])
    if (imported) elsewhere.set(local.name, { file: from, name: imported.name });
    else if (source) elsewhere.set(exported.name, { file: from, name: local.name });
  const { declarations, id } = node.declaration ?? node;
  for (const one of declarations?.map((each) => each.id) ?? (id ? [id] : []))
    declared.set(one.name, [...(declared.get(one.name) ?? []), node]);
}
