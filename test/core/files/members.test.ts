import { expect, test } from 'vitest';
import {
  fieldsChanged,
  membersChanged,
  tellsFields,
  withFields,
} from '../../../src/core/files/members.ts';

const changed = ([path, before, after]: readonly [string, string, string]) => {
  const [old, fresh] = [before, after].map((text) => text.split('\n')) as [string[], string[]];
  return membersChanged(path, {
    old: old.filter((line) => !fresh.includes(line)),
    fresh: fresh.filter((line) => !old.includes(line)),
    around: { before, after },
  }).map(({ beside, added, gone }) => `${beside} + ${added.join()} − ${gone.join()}`);
};

test.each([
  ['a.go', '\tPort int', '\tPort int\n\n\t// why\n\tLog *bool `json:"log"`', 'Port + Log − '],
  ['a.go', '\tPort int\n\tHosts map[string]int', '\tHosts map[string]int', 'Hosts +  − Port'],
  ['a.go', '\tPort int\n\tHost string', '\tPort int64\n\tHost string', 'Host + Port − '],
  ['a.ts', '  port: number;', '  port: number;\n  readonly log?: boolean;', 'port + log − '],
  ['a.py', '    port: int', '    port: int\n    log: bool = False', 'port + log − '],
  ['a.rs', '    pub port: u16,', '    pub port: u16,\n    pub(crate) log: bool,', 'port + log − '],
] as const)('an edit changes fields: %j', (...[path, before, after, told]) => {
  expect(changed([path, before, after])).toEqual([told]);
});

test.each([
  ['a.go', '\tport := 1', '\tport := 1\n\treturn nil'],
  ['a.go', '\tPort: 1,', '\tPort: 1,\n\tLog: true,'],
  ['a.go', '\tPort int', '\tPort int\n\t\tLog bool'],
  ['a.go', '\tPort int\n\n\n\n\n', '\tPort int\n\n\n\n\n\tLog bool'],
  ['a.ts', '  port: 1,', '  port: 1,\n  log: true,'],
  ['a.ts', '  case one: open();', '  case one: open();\n  case two: shut();'],
  ['a.py', "  'port': 1,", "  'port': 1,\n  'log': True,"],
  ['a.rb', '  port: 1;', '  port: 1;\n  log: 2;'],
] as const)('an edit changes no fields: %j', (...edit) => {
  expect(changed(edit)).toEqual([]);
});

test.each([
  ['type Row struct { Id }', 'type Row struct { Id, Len }', 'type Row struct { + Len }'],
  ['type Row struct { Id, Len }', 'type Row struct { Id }', 'type Row struct { − Len }'],
  ['type Row struct { Id, … }', 'type Row struct { Len, Id, … }', 'type Row struct { + Len }'],
  ['type Row struct { Id, … }', 'type Row struct { Id, Len }', ''],
  ['type Row struct { Id }', 'type Row struct { Id }', ''],
  ['type Row struct { Id }', 'type Line struct { Id, Len }', ''],
  ['limits = { a }', 'limits = { a, b }', ''],
])('from %j to %j a type has %j', (was, now, told) => {
  expect(fieldsChanged(was, now)).toBe(told);
  expect(tellsFields(told)).toBe(told !== '');
});

test.each([
  ['type Row { Id }', 'type Row { + Len }', 'type Row { Id, Len }'],
  ['type Row { Id, Len, … }', 'type Row { − Len }', 'type Row { Id, … }'],
  ['type Row { + Id }', 'type Row { + Len, − Size }', 'type Row { + Id, + Len, − Size }'],
  ['type Row { + Id }', 'type Row { − Id }', ''],
  ['type Row { − Id }', 'type Row { + Id }', ''],
  ['type Line { Id }', 'type Row { + Len }', 'type Row { + Len }'],
])('%j after %j is %j', (known, later, told) => expect(withFields(known, later)).toBe(told));
