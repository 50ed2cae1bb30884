import { lines, prose } from '../../src/testing/made-text.ts';
import { between, type Random } from '../random.ts';

// Texts that two vocabularies count differently: prose, logs, code, JSON, hashes,
// Chinese and Russian. Half of them are shorter than a hundred tokens.

const code = (size: number, n: number): string =>
  Array.from(
    { length: Math.ceil(size / 14) },
    (_, at) =>
      `  const value${at} = await read(\`src/part-${n}-${at}/index.ts\`, { tries: ${at % 4} });`,
  ).join('\n');

const chinese = (size: number): string =>
  '会话很长，窗口很小；请记住每一个文件名和错误代码。'.repeat(Math.ceil(size / 20));

const russian = (size: number): string =>
  'Сессия длинная, а окно маленькое; помни имена файлов и коды ошибок. '.repeat(
    Math.ceil(size / 18),
  );

const hashes = (size: number, random: Random): string =>
  Array.from({ length: Math.ceil(size / 8) }, () =>
    between(random, 2 ** 40, 2 ** 44).toString(16),
  ).join(' ');

const json = (size: number, random: Random): string => {
  const items = Array.from({ length: Math.ceil(size / 22) }, (_, id) => ({
    id,
    name: `item-${between(random, 0, 999)}`,
    price: between(random, 0, 100_000) / 100,
    sold: random() < 0.5,
  }));
  return JSON.stringify(items, null, 1);
};

/** A text of 5 to some 700 tokens, most of them short. */
export function textOf(random: Random): string {
  const size = 5 + Math.floor(random() ** 3 * 700);
  const n = between(random, 0, 90);
  const kind = random();
  if (kind < 0.35) return prose(size, n);
  if (kind < 0.5) return lines(size, n);
  if (kind < 0.68) return code(size, n);
  if (kind < 0.78) return chinese(size);
  if (kind < 0.84) return russian(size);
  return kind < 0.92 ? json(size, random) : hashes(size, random);
}
