import { hash } from 'node:crypto';

/** What stands for a text in reports. */
export const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, 16);
