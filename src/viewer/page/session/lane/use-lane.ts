import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Lane } from './lane.ts';
import { own } from './lanes.ts';

/** Of which lane a part of the page is. */
export const OfLane = createContext<Lane>(own);

/** The lane that a part of the page is of. */
export const useLane = (): Lane => useContext(OfLane);
