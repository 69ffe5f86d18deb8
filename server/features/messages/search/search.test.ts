import { describe, expect, test } from 'vitest'
import { boot, type Params, type Person } from '../../../test/boot.ts'
import { blankMarkup } from './highlight.ts'

const newest = { anchor: 'newest', num_before: 100, num_after: 0 }
const search = (operand: string) => [{ operator: 'search', operand }]

async function found(person: Person, narrow: unknown, params: Params = newest): Promise<any[]> {
  return (await person.get('/messages', { ...params, narrow }))['messages']
}
const contents = async (person: Person, narrow: unknown, params?: Params) =>
  (await found(person, narrow, params)).map(({ content }) => content.replace(/<\/?p>/g, ''))

async function office() {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await ann.join(['general', 'other'], { principals: [ann.id, bob.id] })
  return { server, ann, bob }
}

describe('words', () => {
  test('all of them must be there, in any order, case and accent, in the content or the topic', async () => {
    const { ann } = await office()
    await ann.say('general', 'Lunch plans', 'Crème brûlée for everybody')
    await ann.say('general', 'Weather', 'Everybody out, lunch is over')
    await ann.say('general', 'Weather', 'rain')
    expect(await contents(ann, search('LUNCH'))).toHaveLength(2)
    expect(await contents(ann, search('creme'))).toEqual(['Crème brûlée for everybody'])
    expect(await contents(ann, search('BRÛLÉE'))).toHaveLength(1)
    expect(await contents(ann, search('everybody lunch'))).toHaveLength(2)
    expect(await contents(ann, search('brulee lunch'))).toHaveLength(1)
    expect(await contents(ann, search('brulee rain'))).toEqual([])
    expect(await contents(ann, search('brul'))).toEqual([])
    expect(await contents(ann, [...search('everybody'), ...search('over')])).toHaveLength(1)
  })

  test('a quoted phrase stands together', async () => {
    const { ann } = await office()
    await ann.say('general', 't', 'the **quick** brown fox')
    await ann.say('general', 't', 'quick, said the brown fox')
    expect(await contents(ann, search('"quick brown fox"'))).toHaveLength(1)
    expect(await contents(ann, search('quick brown fox'))).toHaveLength(2)
    expect(await contents(ann, search('"brown fox" said'))).toHaveLength(1)
    expect(await contents(ann, search('"quick brown'))).toHaveLength(1)
  })

  test('addresses are found as they are written', async () => {
    const { ann } = await office()
    await ann.say('general', 't', 'see https://ci.example/runs/17?full=1#end')
    expect(await found(ann, search('https://ci.example/runs/17'))).toHaveLength(1)
    expect(await found(ann, search('ci.example/runs/18'))).toHaveLength(0)
  })

  test.each([
    '"',
    '""',
    '*',
    'lunch*',
    '-lunch',
    'NEAR',
    'lunch NEAR/2 plans',
    'lunch OR plans',
    'NOT lunch',
    'lunch AND',
    '(lunch',
    ')))',
    'content:lunch',
    'docid:1',
    '^lunch',
    "'; DROP TABLE messages; --",
    '\0lunch',
    '\u{e000}r1',
    '\ud800',
    '%_',
    '日本語',
    'lunch '.repeat(1000),
    `"${'lunch '.repeat(1000)}"`,
    '('.repeat(3000),
    'x'.repeat(10_000),
  ])('%.20j is only text', async (operand) => {
    const { ann } = await office()
    await ann.say('general', 't', 'lunch NEAR plans or not')
    await found(ann, search(operand))
    await found(ann, [{ operator: 'search', operand, negated: true }])
    expect(await found(ann, search('lunch'))).toHaveLength(1)
  })

  test('nor does any length of it harm', async () => {
    const { ann } = await office()
    await ann.say('general', 't', 'lunch')
    const params = { ...newest, op: 'add', flag: 'starred' }
    for (const operand of [
      'lunch '.repeat(20_000),
      `"${'lunch '.repeat(20_000)}`,
      '"lunch" '.repeat(20_000),
    ]) {
      await ann.post('/messages/flags/narrow', { ...params, narrow: search(operand) })
    }
  })

  test('without a word in it, it finds nothing; empty, it is refused', async () => {
    const { ann } = await office()
    await ann.say('general', 't', 'lunch !!')
    expect(await found(ann, search('!!'))).toEqual([])
    expect(await found(ann, [{ operator: 'search', operand: '!!', negated: true }])).toHaveLength(1)
    for (const operand of ['', '  ', 7]) {
      const narrow = [{ operator: 'search', operand }]
      await ann.refused('GET', '/messages', { ...newest, narrow }, 'BAD_REQUEST')
    }
    expect(await found(ann, search('r1'))).toEqual([])
  })
})

describe('the index is current', () => {
  test('with what was sent, deleted and changed, before and after it was indexed', async () => {
    const { server, ann } = await office()
    const owner = await server.owner()
    await owner.join('general')
    const kept = await ann.say('general', 't', 'alpha one')
    const gone = await ann.say('general', 't', 'alpha two')
    expect(await contents(ann, search('alpha'))).toEqual(['alpha one', 'alpha two'])
    await owner.delete(`/messages/${gone}`)
    const unseen = await ann.say('general', 't', 'alpha three')
    await owner.delete(`/messages/${unseen}`)
    await ann.say('general', 't', 'alpha four')
    expect(await contents(ann, search('alpha'))).toEqual(['alpha one', 'alpha four'])
    const { database } = server.running.server
    database.transact(() =>
      database.run("UPDATE messages SET content = 'beta', topic_key = 'gamma' WHERE id = ?", [kept]),
    )
    expect(await contents(ann, search('alpha'))).toEqual(['alpha four'])
    expect(await found(ann, search('gamma beta'))).toHaveLength(1)
    expect(database.check(true)).toEqual([])
  })

  test('in portions, however much there is', async () => {
    const { server, ann } = await office()
    await ann.say('general', 't', 'needle')
    const { database } = server.running.server
    database.run(
      `INSERT INTO messages (realm_id, conversation_id, sender_id, topic, topic_key, content, rendered_content,
         client, timestamp)
       SELECT realm_id, conversation_id, sender_id, topic, topic_key, 'hay ' || value, '<p>hay</p>', client, timestamp
         FROM messages JOIN json_each(?) WHERE content = 'needle'`,
      [JSON.stringify(Array.from({ length: 1000 }, (_, i) => i))],
    )
    expect(await found(ann, search('hay 999'))).toHaveLength(1)
    expect(await found(ann, search('hay'), { ...newest, num_before: 2000 })).toHaveLength(1000)
  })

  test('within a write', async () => {
    const { ann, bob } = await office()
    await bob.say('general', 't', 'star this')
    await bob.say('general', 't', 'not that')
    const outcome = await ann.post('/messages/flags/narrow', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: search('star'),
      op: 'add',
      flag: 'starred',
    })
    expect(outcome).toMatchObject({ processed_count: 1, updated_count: 1 })
  })
})

describe('together with the rest of a narrow', () => {
  test('channel, topic, sender, direct messages, negation', async () => {
    const { ann, bob } = await office()
    await ann.say('general', 'Lunch plans', 'alpha 1')
    await bob.say('general', 'lunch PLANS', 'alpha 2')
    await bob.say('general', 'other lunch plans', 'alpha 3')
    await bob.say('other', 'lunch plans', 'alpha 4')
    await bob.tell([ann], 'alpha 5')
    await bob.tell([ann], 'beta')
    const narrowed = (...terms: unknown[]) => contents(ann, [...search('alpha'), ...terms])
    expect(await narrowed(['channel', 'general'])).toEqual(['alpha 1', 'alpha 2', 'alpha 3'])
    expect(await narrowed(['channel', 'general'], ['topic', 'lunch plans'])).toEqual(['alpha 1', 'alpha 2'])
    expect(await narrowed(['topic', 'lunch plans'])).toEqual(['alpha 1', 'alpha 2', 'alpha 4'])
    expect(await narrowed(['-topic', 'lunch plans'])).toEqual(['alpha 3', 'alpha 5'])
    expect(await narrowed(['sender', ann.email])).toEqual(['alpha 1'])
    expect(await narrowed(['dm', bob.email])).toEqual(['alpha 5'])
    expect(await narrowed(['-search', '1'])).toHaveLength(4)
    expect(await contents(ann, [['-search', 'alpha']])).toEqual(['beta'])
  })

  test('from any anchor', async () => {
    const { ann } = await office()
    const ids: number[] = []
    for (let i = 0; i < 8; i += 1) {
      ids.push(await ann.say('general', 't', `alpha ${i}`))
      await ann.say('general', 't', `beta ${i}`)
    }
    const around = (anchor: unknown, num_before: number, num_after: number) =>
      contents(ann, search('alpha'), { anchor, num_before, num_after })
    expect(await around('newest', 2, 0)).toEqual(['alpha 6', 'alpha 7'])
    expect(await around('oldest', 0, 2)).toEqual(['alpha 0', 'alpha 1'])
    expect(await around(ids[3], 1, 1)).toEqual(['alpha 2', 'alpha 3', 'alpha 4'])
    expect(await around((ids[3] ?? 0) + 1, 1, 1)).toEqual(['alpha 3', 'alpha 4'])
    expect(await around('first_unread', 0, 1)).not.toEqual([])
  })

  test('nobody finds what they may not read', async () => {
    const { server, ann, bob } = await office()
    await ann.join('secret', { invite_only: true })
    await ann.say('secret', 't', 'alpha')
    await ann.tell([ann], 'alpha')
    expect(await found(ann, search('alpha'))).toHaveLength(2)
    expect(await found(bob, search('alpha'))).toEqual([])
    const eve = await server.as('eve', 'owner', 'other')
    expect(await found(eve, search('alpha'))).toEqual([])
  })
})

describe('hits are marked', () => {
  test('in the text of the content and the topic, never in markup', async () => {
    const { ann } = await office()
    const id = await ann.say(
      'general',
      'a < b & strong',
      'amp & **strong** p [strong](https://strong.example/strong) x',
    )
    const [message] = await found(ann, search('strong'))
    const hit = '<span class="highlight">strong</span>'
    expect(message.match_content.replaceAll(hit, 'strong')).toBe(message.content)
    expect(message.match_content).toContain(`<strong>${hit}</strong>`)
    expect(message.match_content).toContain(`>${hit}</a>`)
    expect(message.match_content).toContain('href="https://strong.example/strong"')
    expect(message.match_subject).toBe(`a &lt; b &amp; ${hit}`)
    const [amp] = await found(ann, search('amp'))
    expect(amp.match_content).toContain('<span class="highlight">amp</span> &amp; <strong>')
    const { messages } = await ann.get('/messages/matches_narrow', {
      msg_ids: [id, 4711],
      narrow: search('strong'),
    })
    expect(messages).toEqual({
      [id]: { match_content: message.match_content, match_subject: message.match_subject },
    })
    expect(
      (await ann.get('/messages/matches_narrow', { msg_ids: [id], narrow: search('nothing') }))['messages'],
    ).toEqual({})
  })

  test('with letters of more than one byte before them; a phrase only where it is whole', async () => {
    const { ann } = await office()
    await ann.say('general', 't', 'Größe 𝄞 brûlée, crème brûlée')
    const [message] = await found(ann, search('"creme brulee"'))
    expect(message.match_content).toBe(
      '<p>Größe 𝄞 brûlée, <span class="highlight">crème</span> <span class="highlight">brûlée</span></p>',
    )
    expect(message.match_subject).toBe('t')
    expect(await found(ann, [['channel', 'general']])).not.toMatchObject([
      { match_content: expect.anything() },
    ])
  })

  test.each([
    ['<p title="a > b">c</p>', 'c'],
    ["<a x='<b>' y>d</a>", 'd'],
    ['e &amp; f &x g; h&#39;', 'e f x g; h'],
    ['i<math display="block"><mi>x</mi></math>j<mathematics>k', 'i j k'],
    ['l <m', 'l'],
    ['n <math><mi>o', 'n'],
  ])('the text of %j is %j, where it was', (html, text) => {
    const blank = blankMarkup(html)
    expect(blank.split(/\s+/).filter(Boolean).join(' ')).toBe(text)
    expect(blank).toHaveLength(html.length)
    for (const [i, char] of [...blank].entries()) if (char !== ' ') expect(html[i]).toBe(char)
  })
})
