import fc from 'fast-check';

// Properties as `npm run fuzz` wants them: of this seed, and, to repeat a find, only what its path leads to.
// Shrinking ends before a test runs out of time, which would hide what was found.

const path = process.env['FUZZ_PATH'] ?? '';
fc.configureGlobal({
  seed: Number(process.env['FUZZ_SEED']),
  interruptAfterTimeLimit: 100_000,
  ...(path === '' ? {} : { path, endOnFailure: true }),
});
