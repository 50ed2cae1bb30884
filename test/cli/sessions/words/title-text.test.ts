import { expect, test } from 'vitest';
import { file, flamestack, folder } from '../../call.ts';

const keys = [`sk-proj-${'Zk3aB4cD5eF6'.repeat(3)}`, `AKIA${'J7Q2'.repeat(4)}`] as const;

test('a title that holds keys is shown without them, and told as it is in JSON', async () => {
  const store = await folder();
  const lines = [
    { type: 'flamestack', version: 1, id: 'notes' },
    { type: 'append', message: { role: 'user', content: `Use ${keys[0]} for it.` } },
    { type: 'push', title: `Try ${keys[1]}`, criteria: 'it works' },
    { type: 'append', message: { role: 'assistant', content: 'It works.' } },
  ];
  const path = await file('notes.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  const { out: imported } = await flamestack(`import ${path} --store ${store}`);
  expect(imported).toContain('Use [redacted OpenAI key] for it.');
  for (const [line, title] of [
    ['ls', 'Use [redacted OpenAI key] for it.'],
    ['show --line', 'Try [redacted AWS key]'],
    ['frames', 'Use [redacted OpenAI key] for it.'],
    ['undo --dry-run', '"Try [redacted AWS key]"'],
    ['show --entry e2', 'Try [redacted AWS key]'],
  ]) {
    const { out } = await flamestack(`${line} --store ${store}`);
    expect(out, line).toContain(title);
    for (const key of keys) expect(out, line).not.toContain(key);
  }
  const { out: json } = await flamestack(`ls --json --store ${store}`);
  expect(json).toContain(`Use ${keys[0]} for it.`);
});
