import { expect, test } from 'vitest';
import { file, flamestack, folder } from '../call.ts';

test('a step that could be taken back is told with the day on which it was said, not that of its import', async () => {
  const store = await folder();
  const at = new Date('2026-03-02T12:00').getTime();
  const lines = [
    { type: 'flamestack', version: 1, id: 'notes' },
    { type: 'append', message: { role: 'user', content: 'Write the parser.' }, at },
    { type: 'push', title: 'Parser', criteria: 'it parses' },
    { type: 'append', message: { role: 'assistant', content: 'Done.' }, at: at + 86_400_000 },
    { type: 'push', title: 'Lexer', criteria: 'it splits' },
  ];
  const path = await file('notes.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  await flamestack(`import ${path} --store ${store}`);
  const { out } = await flamestack(`undo --list --store ${store}`);
  expect(out).toMatch(/f2 "Lexer" .* 2026-03-03\n.*f1 "Parser" .* 2026-03-02\n$/);
});
