import { fauxAssistantMessage, fauxToolCall } from '@mariozechner/pi-ai';
import { expect, test } from 'vitest';
import { flamestackExtension } from '../../../src/adapters/pi/extension.ts';
import { openStore } from '../../../src/index.ts';
import { newFolder, startPi, textOf } from './pi.ts';

test('what is said is in the store, and the model is sent it', async () => {
  const store = await newFolder();
  const pi = await startPi({ extension: flamestackExtension({ store }) });
  pi.answer(fauxAssistantMessage('Hello.'), fauxAssistantMessage('Again.'));
  await pi.session.prompt('Say hello');
  await pi.session.prompt('And again');
  expect(pi.notices).toEqual([]);
  expect(pi.sent.map((messages) => messages.map(textOf))).toEqual([
    ['Say hello'],
    ['Say hello', 'Hello.', 'And again'],
  ]);
  await pi.session.extensionRunner.emit({ type: 'session_shutdown', reason: 'quit' });
  await using open = await openStore(store);
  const session = await open.open(`pi-${pi.session.sessionManager.getSessionId()}`);
  const said: unknown[] = [];
  for await (const { role, content } of session.log()) said.push([role, content]);
  expect(said).toEqual([
    ['user', 'Say hello'],
    ['assistant', 'Hello.'],
    ['user', 'And again'],
    ['assistant', 'Again.'],
  ]);
});

test('a long session stays within the window, and keeps what people said', async () => {
  const store = await newFolder();
  const pi = await startPi({ extension: flamestackExtension({ store }), window: 8_000 });
  for (let turn = 0; turn < 24; turn += 1) {
    pi.answer(
      fauxAssistantMessage(
        [fauxToolCall('bash', { command: `seq ${turn * 300} ${turn * 300 + 250}` })],
        {
          stopReason: 'toolUse',
        },
      ),
      fauxAssistantMessage(`Counted part ${turn}: all is well.`),
    );
    await pi.session.prompt(`Never forget rule ${turn}. Count part ${turn}`);
  }
  expect(pi.notices).toEqual([]);
  console.log(
    pi.sent.map((m) => m.length),
    pi.status,
  );
  console.log(
    pi.sent
      .at(-1)!
      .map((m) => `${m.role}: ${textOf(m).slice(0, 500)}`)
      .join('\n-----\n'),
  );
});
