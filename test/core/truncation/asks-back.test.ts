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
Could you fill me in on our task?
Would you mind catching me up on the plan?
Will you kindly and quickly jog my memory about where you stopped?
Could you recap what I had?
Would you mind recapping the discussion, as far as you know of it, so far?
Could you give me an overview of this session?
Would you mind giving me a short reminder of what we have been doing?
Could you tell me what we were planning and what we were doing?
Please tell me again what you had, and where it left off
Could you remind me of the original plan?
Could you remind me of my context?
Can you bring me back up to speed on the current conversation?
Could you please catch me up?
Can you refresh my memory ?
What were we just building?
What was I trying to achieve before?
What are we originally talking about here
What were we trying to solve so far?
Where were we?
Where had we left off?
Where did we stop?
What were my instructions again?
What was our project again?
What was the instruction again?
I'm unsure where we left things.
I am no longer sure what I was at.
I am a little lost as to what we had.
I'm a bit lost what we were at.
I'm confused about where we are.
I have forgotten what we had.
I can't recall where we left it.
I don't know what we are at.
I've lost the thread.
I have lost context.
I might have lost some of the history.
I appear to have lost all context.
I must have lost track of the conversation.
I think I've lost our conversation.
I think I have lost track of where I was.
I no longer have the context.
I don't recall previous messages, sorry
I do not remember earlier work
I don't have our previous discussion
I don't see any record for this
I don't have prior conversations
I don't have context!
I no longer have visibility into past chats.
I don't have access to the earlier messages.
I do not have access to any prior context.
I have no context of the plan.
I have no recollection of previous work.
I have no record of what was said.
This seems like the beginning of this session.
It looks to be the first message in the chat.
It appears like this is the start of our conversation.
This looks like it is the start of a new chat.
This is odd, it seems the start of our session.
The previous conversation got cut off.
Earlier messages in this long chat appear to have been lost.
The earlier context is gone.
An earlier portion of it all has been truncated.
The earlier parts were not available.
The previous context seems unavailable.
Kannst du mir sagen, was wir taten?
Könnten Sie mich kurz auf den Stand bringen, womit wir befasst waren?
Woran haben wir gearbeitet?
Wo sind wir stehengeblieben?
Wo waren wir ?
Was hatten wir zuletzt gemacht?
Ich hab wohl den Kontext verloren.
Peux-tu me rappeler où on en est ?
Pouvez-vous rappeler où nous en sommes ?
Sur quoi travaillions-nous ?
J'ai perdu le fil.
¿Puedes recordarme de qué hablamos?
¿En qué íbamos?
He perdido el hilo.
¿Dónde lo dejamos?
Puoi gentilmente ricordarmi di cosa parlavamo?
Puoi ricordarmi a che punto siamo?
Pode relembrar onde paramos?
Podes por favor lembrar-me em que ponto estamos?
Не могли бы вы напомнить, о чем мы говорили?
Напомни, чем мы занимались?
На чем мы остановились?
Я потерял нить.
Я потеряла контекст.
请提醒一下之前我们在讨论的
我们之前聊到哪
何をしていたか教えてください
どこまで進みましたっけ、思い出せません
What were we doing ?
I don't recall any prior conversation
I don't see any earlier message here
I don't have access to the earlier message.
I don't have access to prior discussion.
I no longer have access to the previous chat.
It looks like is the first message in this chat.
This looks like first message in a new chat.
Peux-tu me rappeler s'il te plaît où on en est ?
¿Podrías por favor recordarme otra vez en qué estábamos?
Potresti ricordarmi ancora una volta cosa stavamo facendo?
Pode relembrar outra vez onde paramos?
请提醒我我们一直都在做的事
我们刚才一起聊到哪了
何をしていでしたか
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
Please write the parser.
So far it works, could you look?
Couldyou remind me what we were doing
Could you, once the long build of all the parts ended, remind me of it: what we were doing
What were we testing
What were we building in that other folder?
Nowhere did wet stop
What was the task
I'm not sure what the tests were.
I don't remember what the function was.
I may lose the thread.
I lost the thread-safe map; the rest is fine? No: I lost a thread pool.
I don't have context menus
I have no record of it.
It seems a start of our session.
The earlier context of the function. It is missing.
Woran liegt es?
Ich habe den Faden gefunden.
Где мы остановились
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

test.each([
  ['```\nWhat were we doing?', false],
  ['``` a ``` What were we doing?', true],
  ['`What were we doing?`', false],
  ['"What were we doing?"', false],
  ['“What were we doing?”', false],
  ['«What were we doing?»', false],
  ['„What were we doing?“', false],
  ['„What were we doing?”', false],
  ['`a\nWhat were we doing?\nb`', true],
  ['"a\nWhat were we doing?\nb"', true],
  ['“a\nWhat were we doing?\nb”', true],
  ['«a\nWhat were we doing?\nb»', true],
  ['„a\nWhat were we doing?\nb“', true],
  ['"" What were we doing? ""', true],
  ['What were`x`we doing?', true],
  ['What were```x```we doing?', true],
  ['a > What were we doing?', true],
  ['> a\nWhat were we doing?\n> b', true],
  ['>What were we doing?', false],
])('of %j what is said is read: %j', (text, asks) => {
  expect(asksBack(text)).toBe(asks);
});

test('an answer is read up to its 400th character', () => {
  const ask = (before: number): string => `${'x'.repeat(before - 1)} Where were we?`;
  expect([asksBack(ask(387)), asksBack(ask(388))]).toEqual([true, false]);
});
