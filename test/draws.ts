/** Share of its draws that a property takes in `npm test`; `npm run fuzz`, which is part of `.ci/run`, takes all of them. */
const share = Number(process.env['DRAWS'] ?? 1 / 20);

/** How many draws a property takes of those that it has in `npm run fuzz`. */
export const draws = (most: number): number => Math.ceil(most * share);
