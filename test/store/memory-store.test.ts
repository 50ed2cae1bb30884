import { test } from 'vitest';
import { openMemoryStore } from '../../src/store/level/level-store.ts';
import { hostSuite } from '../../src/testing/suites/host.ts';

hostSuite({ test, host: () => ({ open: openMemoryStore }), keeps: false });
