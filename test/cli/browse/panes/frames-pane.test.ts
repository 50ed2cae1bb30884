import { expect, test } from 'vitest';
import { framesPane } from '../../../../src/cli/browse/panes/frames-pane.ts';
import { browsingOf } from '../stage.ts';

test('a root that is called by the id of its session has the title of the session', () => {
  const { open, paper } = browsingOf(5);
  const { head, moment } = open!;
  const told = { ...head!, title: 'Log-in' };
  const tree = { ...moment!.tree, title: told.session };
  const { rows } = framesPane({ ...open!, head: told, moment: { ...moment!, tree } }, paper);
  expect(rows.row(0).text).toContain('f0 Log-in');
  expect(rows.row(0).text).not.toContain(told.session);
});
