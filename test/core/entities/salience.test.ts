import { expect, test } from 'vitest';
import { mentionsIn, wholePaths } from '../../../src/core/entities/salience.ts';
import type { Message } from '../../../src/core/messages/message.ts';

const user = (content: string): Message => ({ role: 'user', content });
const says = (content: string): Message => ({ role: 'assistant', content });
const prints = (content: string): Message => ({ role: 'tool', toolCallId: 'k', content });
const calls = (name: string, args: Record<string, unknown>): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id: 'k', name, arguments: args }],
});
const weights = (messages: readonly Message[]) =>
  Object.fromEntries(mentionsIn(messages).map(({ name, weight }) => [name, weight]));

test('the more a person says a name the more it weighs, up to twice', () => {
  const of = (times: number) =>
    weights(Array.from({ length: 4 }, (_, at) => user(at < times ? 'see maxRetries' : 'ok')))[
      'maxRetries'
    ];
  expect(of(1)).toBe(3);
  expect(of(2)).toBe(5.293);
  expect(of(3)! - of(2)!).toBeLessThan(1);
});

test('who used a name decides: a change before a person, the model, a tool that was asked, and output', () => {
  expect(weights([user('see maxRetries'), user('ok')])['maxRetries']).toBe(3);
  expect(weights([says('see maxRetries'), user('ok')])['maxRetries']).toBe(2.493);
  expect(weights([prints('see maxRetries'), user('ok')])['maxRetries']).toBe(0.4);
  expect(weights([calls('find', { name: 'maxRetries' }), user('ok')])['maxRetries']).toBe(2.493);
  const [changed] = mentionsIn([
    calls('write', { path: '/w/src/pool.ts', content: 'x' }),
    user('ok'),
  ]);
  expect(changed).toMatchObject({
    name: 'src/pool.ts',
    kind: 'path',
    asked: 1,
    changed: '/w/src/pool.ts',
  });
  expect(changed!.weight).toBe(4.293);
});

test('late and spread use weighs more, and kinds differ', () => {
  const filler = [user('ok'), user('ok')];
  const early = weights([user('see maxRetries'), ...filler])['maxRetries']!;
  const late = weights([...filler, user('see maxRetries')])['maxRetries']!;
  expect(late - early).toBeCloseTo(0.7);
  const near = weights([user('ok'), says('see maxRetries'), says('see maxRetries')])['maxRetries']!;
  const spread = weights([says('see maxRetries'), user('ok'), says('see maxRetries')])[
    'maxRetries'
  ]!;
  expect(spread - near).toBeCloseTo(0.25);
  expect(weights([user('in src/pool.ts it threw TypeError on 8080')])).toEqual({
    'src/pool.ts': 3.3,
    TypeError: 3.2,
    '8080': 2.7,
  });
});

test('a mention counts messages, not words, and says where it was last', () => {
  const [mention] = mentionsIn([user('maxRetries maxRetries'), user('ok'), says('maxRetries')]);
  expect(mention).toMatchObject({ messages: 2, last: 2, said: 2, asked: 0, changed: false });
});

test('a path stands for the longest that ends with it, unless two differ', () => {
  const whole = wholePaths([
    'core/tree.ts',
    'src/core/tree.ts',
    '/w/src/core/tree.ts',
    'a/x.ts',
    'b/x.ts',
    'x.ts',
  ]);
  expect(whole.get('core/tree.ts')).toBe('/w/src/core/tree.ts');
  expect(whole.get('/w/src/core/tree.ts')).toBe('/w/src/core/tree.ts');
  expect(whole.get('x.ts')).toBe('x.ts');
});
