import { argumentsText } from './program-arguments.ts';
import { commandsText } from './program-commands.ts';
import { stateText } from './program-state.ts';

// The scripted tracker is a program of its own, since those who use a tracker start one. Its text is written out
// where it is started, so that it is there in a bundle, too. It is plain CommonJS: no part of it is compiled.
//
//   arguments → log → trouble (delay, lock, failure) → command on the state → the shape of br 0.1, br 0.5 or bd
//
// The state is `beads.json` in the project's `.beads` folder; settings, trouble and log stand beside the program.

/** The whole program, for Node. */
export const programText = `'use strict';\n${argumentsText}${stateText}${commandsText}`;
