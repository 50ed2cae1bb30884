import type { ModelFacts } from '../../index.ts';
import { good, odd, type Finding } from './finding.ts';

/** Sizes at which what a model keeps over compressions gets better, in billions of parameters. */
const bands = [
  { from: 70, band: 'high' },
  { from: 13, band: 'medium' },
  { from: 7, band: 'low' },
  { from: 0, band: 'critical' },
] as const;

/** How large the model is, and what that means for summaries. */
export function checkSize({ size }: ModelFacts): Finding {
  if (size === null) return good('size', 'the server does not say', { size });
  const { band } = bands.find(({ from }) => size >= from)!;
  const text = `${size.toFixed(1)} billion parameters, quality of summaries: ${band}`;
  const detail = { size, band };
  if (band === 'high' || band === 'medium') return good('size', text, detail);
  return odd('size', text, {
    fix: 'Small models lose accuracy over several compressions; what matters stays word for word all the same.',
    detail,
  });
}
