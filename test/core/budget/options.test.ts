import { expect, test } from 'vitest';
import {
  embedded,
  resolveOptions,
  triggerOf,
  type Options,
  type OptionsGiven,
} from '../../../src/core/budget/options.ts';

const defaults: Options = {
  window: 8_000,
  reserve: 1_200,
  system: '',
  model: null,
  provider: null,
  modelSize: null,
  summarizer: 'embedded',
  tokenizer: 'o200k_base',
  trigger: null,
  preserveRecent: null,
  summaryTokens: null,
  strategy: 'ladder',
  compression: 'auto',
  markers: true,
  aging: 'lines',
  destructive: null,
  longRunning: null,
  snapshots: 'auto',
  recovery: 'auto',
};

const other: Options = {
  window: 16_000,
  reserve: 500,
  system: 'Be brief.',
  model: 'llama3',
  provider: 'ollama',
  modelSize: 8,
  summarizer: 'mine',
  tokenizer: 'cl100k_base',
  trigger: 0.5,
  preserveRecent: 100,
  summaryTokens: 200,
  strategy: 'rollover',
  compression: 'manual',
  markers: false,
  aging: 'model',
  destructive: ['rm'],
  longRunning: ['make'],
  snapshots: 'manual',
  recovery: 'confirm',
};

test('what is not given is as by default, or as it was', () => {
  expect(resolveOptions({ window: 8_000 }, null)).toEqual(defaults);
  expect(resolveOptions(other, null)).toEqual(other);
  expect(resolveOptions(other, defaults)).toEqual(other);
  expect(resolveOptions({}, other)).toEqual(other);
  expect(resolveOptions({ destructive: null, longRunning: null }, other)).toMatchObject({
    destructive: null,
    longRunning: null,
  });
});

test('with another window goes another reserve, with another model its provider and size', () => {
  expect(resolveOptions({ window: 10_000 }, other)).toMatchObject({ reserve: 1_500 });
  expect(resolveOptions({ reserve: 600 }, other)).toMatchObject({ window: 16_000, reserve: 600 });
  expect(resolveOptions({ model: 'llama3' }, other)).toMatchObject({ provider: 'ollama' });
  expect(resolveOptions({ model: 'qwen' }, other)).toMatchObject({
    model: 'qwen',
    provider: null,
    modelSize: null,
  });
  expect(resolveOptions({ window: 1_140 }, null).reserve).toBe(171);
});

test.each<readonly [OptionsGiven, string]>([
  [{}, 'WINDOW_REQUIRED'],
  [{ window: 999 }, 'WINDOW_TOO_SMALL'],
  [{ window: 0 }, 'OPTION_INVALID'],
  [{ window: 1_000.5 }, 'OPTION_INVALID'],
  [{ window: 2_000, reserve: 1_489 }, 'OPTION_INVALID'],
  [{ window: 2_000, reserve: -1 }, 'OPTION_INVALID'],
  [{ window: 2_000, trigger: 0.3 }, 'OPTION_INVALID'],
  [{ window: 2_000, trigger: 0.981 }, 'OPTION_INVALID'],
  [{ window: 2_000, summaryTokens: 39 }, 'OPTION_INVALID'],
  [{ window: 2_000, preserveRecent: -1 }, 'OPTION_INVALID'],
  [{ window: 2_000, modelSize: 0 }, 'OPTION_INVALID'],
  [{ window: 2_000, modelSize: Infinity }, 'OPTION_INVALID'],
  [{ window: 2_000, model: '' }, 'OPTION_INVALID'],
  [{ window: 2_000, provider: '' }, 'OPTION_INVALID'],
  [{ window: 2_000, strategy: 'none' as 'ladder' }, 'OPTION_INVALID'],
  [{ window: 2_000, compression: 'on' as 'auto' }, 'OPTION_INVALID'],
  [{ window: 2_000, aging: 'none' as 'lines' }, 'OPTION_INVALID'],
  [{ window: 2_000, snapshots: 'on' as 'auto' }, 'OPTION_INVALID'],
  [{ window: 2_000, recovery: 'on' as 'auto' }, 'OPTION_INVALID'],
  [{ window: 2_000, markers: 1 as unknown as boolean }, 'OPTION_INVALID'],
  [{ window: 2_000, system: 1 as unknown as string }, 'OPTION_INVALID'],
  [{ window: 2_000, destructive: ['('] }, 'OPTION_INVALID'],
  [{ windows: 2_000 } as OptionsGiven, 'OPTION_INVALID'],
])('%j is refused with %s', (given, code) => {
  expect(() => resolveOptions(given, null)).toThrow(expect.objectContaining({ code }));
});

test('the limits themselves are taken', () => {
  const given = { reserve: 488, trigger: 0.98, summaryTokens: 40, preserveRecent: 0 };
  expect(resolveOptions({ window: 1_000, ...given }, null)).toMatchObject(given);
  expect(resolveOptions({ window: 1_000, trigger: 0.31, modelSize: 0.1 }, null)).toMatchObject({
    trigger: 0.31,
    modelSize: 0.1,
  });
});

test.each<OptionsGiven>([
  { strategy: 'compress' },
  { strategy: 'ladder' },
  { compression: 'auto' },
  { aging: 'lines' },
  { snapshots: 'auto' },
  { recovery: 'auto' },
  { markers: true },
])('%j may be given', (given) => {
  expect(resolveOptions({ window: 2_000, ...given }, other)).toMatchObject(given);
});

test.each([
  [{ window: 2_000, trigger: 0.3 }, 'trigger', 'above 0.3, up to 0.98'],
  [{ window: 2_000, modelSize: 0 }, 'modelSize', 'billions of parameters, above 0'],
  [{ window: 2_000, model: '' }, 'model', 'a name'],
  [{ window: 2_000, reserve: 1_489 }, 'reserve', 'a number up to 1488'],
])('the error of %j names %s and what it takes', (given, option, takes) => {
  expect(() => resolveOptions(given, null)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(new RegExp(`${option}.*${takes}`)) as string,
    }),
  );
});

test('compression starts earlier where a model writes the summaries', () => {
  expect(triggerOf({ trigger: null })).toBe(0.98);
  expect(triggerOf({ trigger: null, summarizer: embedded })).toBe(0.98);
  expect(triggerOf({ trigger: null, summarizer: 'mine' })).toBe(0.8);
  expect(triggerOf({ trigger: 0.5, summarizer: 'mine' })).toBe(0.5);
});

test.each([
  [8_000, 0.8],
  [16_000, 0.8],
  [32_000, 0.8897],
  [128_000, 0.9724],
  [1_000_000, 0.98],
])(
  'in a window of %i tokens a model is asked at %f of it, and little is left free',
  (window, at) => {
    const options = resolveOptions({ window, summarizer: 'mine' }, null);
    expect(triggerOf(options)).toBeCloseTo(at, 4);
    expect(triggerOf({ ...options, summarizer: embedded })).toBe(0.98);
  },
);
