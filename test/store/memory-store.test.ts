import { test } from 'vitest';
import { openMemoryStore } from '../../src/store/level/level-store.ts';
import { storeSuite } from '../../src/testing/suites/store.ts';

storeSuite({ test, open: openMemoryStore });
