import { qualityOf, type ModelFacts } from '../../index.ts';
import { parameters } from '../paper/size.ts';
import { goodFinding, oddFinding, type Finding } from './finding.ts';

/** A finding on the size of a model, and on the summaries to expect of it. */
export function checkSize({ size }: ModelFacts): Finding {
  if (size === null) return oddFinding('size', 'the server does not say how large it is');
  const { models, summaries, compressions } = qualityOf(size);
  const [from, to] = compressions;
  const text = `${parameters(size)}, a ${models} model: ${summaries} summaries`;
  const detail = { size, models, summaries, compressions };
  if (models !== 'small') return goodFinding('size', text, detail);
  const fix = `Its context gets less reliable after ${from} to ${to} compressions; the log keeps all of it.`;
  return oddFinding('size', text, { fix, detail });
}
