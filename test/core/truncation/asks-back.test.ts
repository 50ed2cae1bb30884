import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asksBack } from '../../../src/core/truncation/asks-back.ts';

const asking = `
Could you remind me what we were doing?
Sorry, could you please remind me what we were working on?
Can you remind me of the task?
Would you mind reminding me where we left off?
Could you refresh my memory on what we agreed?
Can you bring me up to speed?
Could you bring me up to speed on the project so far?
Can you give me a quick recap of what we were doing?
Could you give me a brief summary of our conversation so far?
Could you fill me in on what we were building?
Please remind me what you were asking for; what were we doing?
What were we working on?
Hello! What are we working on?
I'm sorry, what was I doing?
Where did we leave off?
What was the task again?
What is our goal again?
I'm not sure what we were doing here.
I am a bit lost about what we were doing. Can you help?
I don't remember what we were discussing.
I forgot where we left off.
I seem to have lost the context.
I’ve lost track of what we were doing.
It seems I have lost the thread of our conversation.
I think I lost the thread.
I don't have any context of this.
I don't have any record of our earlier conversation.
I do not see any previous messages in this chat.
I don't have access to our previous conversation.
I have no memory of our earlier work.
It looks like this is the start of our conversation.
This appears to be the beginning of a new conversation.
It seems the earlier part of our conversation is missing.
The previous messages seem to have been cut off.
Könntest du mich daran erinnern, woran wir gearbeitet haben?
Wo waren wir stehen geblieben?
Ich habe den Faden verloren.
Pourriez-vous me rappeler ce que nous faisions ?
Où en étions-nous ?
¿Podrías recordarme en qué estábamos trabajando?
¿Dónde nos quedamos?
Potresti ricordarmi cosa stavamo facendo?
Você poderia me lembrar o que estávamos fazendo?
Напомните, пожалуйста, на чём мы остановились?
你能提醒我一下我们在做什么吗？
我们刚才说到哪了？
`;

const working = `
Could you please share the file src/auth.ts?
Could you tell me which port the server uses?
Can you remind me which file has the schema?
Could you remind me of the name of the branch?
Can you give me the path of the config?
Would you like me to go on with the tests?
What would you like me to do next?
What do you want me to work on next?
What is the goal of this function?
What is the plan for the migration?
What are we doing about the failing test in CI?
Here is what we were doing: the parser came first.
To recap what we were doing: the guard is changed, the tests are not.
Let me remind you what we were doing.
We were working on the parser; it is done now.
I lost the key of the map in the merge.
I have lost count of the retries, so I added a counter.
I don't have any tests of this.
I don't see any earlier tests for the parser.
I don't have a record type for this; should I add one?
I do not remember passwords, so the form asks for them again.
The earlier part of the file is fine.
The previous messages are kept in the queue.
The user context is missing in the request.
This looks like the start of the file.
It seems the previous version was cut off by the linter.
Where did we put the tests?
Where were the logs written?
I am not sure what the function returns.
I'm not sure where the file is; could you give me its path?
Please recap the release notes in CHANGELOG.md.
Could you summarize the requirements of the endpoint?
Can you confirm the plan before I go on?
The command asks "could you remind me what we were doing" where the session is lost.
The label reads “What were we doing?” and is shown at the start.
Kannst du mir die Datei src/auth.ts schicken?
Wo ist die Datei?
Pourriez-vous me donner le chemin du fichier ?
¿Podrías recordarme el nombre de la rama?
Напомните, пожалуйста, имя файла.
提醒我文件的路径。
`;

const linesOf = (text: string): readonly string[] => text.trim().split('\n');

test.each(linesOf(asking))('lost: %s', (line) => {
  expect(asksBack(line)).toBe(true);
});

test.each(linesOf(working))('at work: %s', (line) => {
  expect(asksBack(line)).toBe(false);
});

test('only the first words count, without quotes, code and citations', () => {
  const any = fc.constantFrom(...linesOf(asking).filter((line) => !line.includes('"')));
  fc.assert(
    fc.property(any, fc.constantFrom(...linesOf(working)), (asks, works) => {
      expect(asksBack(`${works}\n${asks}`)).toBe(works.length < 360);
      expect(asksBack(`${'The parser is done. '.repeat(24)}${asks}`)).toBe(false);
      expect(asksBack(`${works}\n> ${asks}`)).toBe(false);
      expect(asksBack(`${works}\n\`\`\`\n${asks}\n\`\`\``)).toBe(false);
      expect(asksBack(`${works} “${asks}”`)).toBe(false);
    }),
    { numRuns: 60 },
  );
});
