/** The forms of an export. */
export const formNames = ['jsonl', 'md', 'html', 'svg', 'speedscope', 'trace', 'otlp'] as const;

/** A form of an export. */
export type FormName = (typeof formNames)[number];
