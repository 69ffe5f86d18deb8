import { type ChannelHistory, text } from './conversation.ts'

export const lounge: ChannelHistory = {
  channel: 'lounge',
  history: [
    {
      topic: 'coffee machine',
      day: 9,
      at: '10:15',
      lines: [
        [0, 'leila', 'The machine in Harbour house says "descale". It has said so since spring.'],
        [4, 'tomasz', 'Ours says "hello". I trust yours more.'],
        [9, 'noah', 'I can bring vinegar.', { '🙏': 'leila' }],
        [
          11,
          'sofia',
          'Please air the kitchen afterwards. Last time the sketches smelled of salad.',
          { '😂': 'noah leila priya' },
        ],
      ],
    },
    {
      topic: 'book club',
      day: 8,
      at: '16:20',
      lines: [
        [0, 'priya', 'Next book? It should have fewer than 300 pages and at least one boat.'],
        [
          6,
          'kwame',
          text(
            'Proposals:',
            '',
            '- something with lighthouses',
            '- something with pirates',
            '- the tide table of next year',
          ),
        ],
        [8, 'leila', 'Lighthouses.'],
        [9, 'hana', 'Pirates, please.'],
        [
          12,
          'meiling',
          'Lighthouses. The pirates we have in procurement.',
          { '😂': 'priya kwame hana amara' },
        ],
        [
          40,
          'priya',
          'Lighthouses it is. We meet in two weeks, at the usual table.',
          { '📚': 'leila meiling kwame', starred: 'hana' },
        ],
      ],
    },
    {
      topic: 'music to work to',
      day: 7,
      at: '11:40',
      lines: [
        [0, 'noah', 'What do you listen to when something has to be *finished*?'],
        [2, 'kwame', 'Highlife, loud.'],
        [3, 'tomasz', 'Rain. Eight hours of rain.'],
        [5, 'priya', 'Nothing at all. It drives everybody mad but me.'],
        [7, 'sofia', 'Whatever the neighbours practise. This month: the tuba.', { '😂': 'noah tomasz' }],
      ],
    },
    {
      topic: 'weather',
      day: 6,
      at: '09:00',
      lines: [
        [0, 'hana', 'Fog so thick this morning that we counted the boats by ear.'],
        [
          3,
          'kwame',
          'I saw it in the data: everybody slow, nobody late. Well sailed!',
          { '👏': 'hana leila' },
        ],
        [
          30,
          'sofia',
          'I drew it. It is a white sheet of paper.',
          { '😂': 'hana kwame meiling', '💯': 'noah' },
        ],
      ],
    },
    {
      topic: 'lunch',
      day: 5,
      at: '11:50',
      lines: [
        [0, 'tomasz', 'Dumplings at the corner, in ten minutes?'],
        [1, 'noah', 'In.'],
        [1, 'sofia', 'In!'],
        [4, 'leila', 'Other office, other hunger. Send pictures.'],
        [
          52,
          'tomasz',
          'Thirty-six dumplings. Three people. No regrets.',
          { '🔥': 'noah sofia', '😂': 'leila' },
        ],
      ],
    },
    {
      topic: 'plants',
      day: 4,
      at: '15:30',
      lines: [
        [0, 'meiling', 'Who waters the fern in the meeting room? It looks offended.'],
        [7, 'amara', 'It was a gift of the landlord. It is contractually alive.'],
        [12, 'leila', 'I will take it to my desk for a week, it needs light.', { '💙': 'meiling' }],
        [13, 'meiling', 'Thank you. Talk to it.'],
      ],
    },
    {
      topic: 'running group',
      day: 3,
      at: '12:30',
      lines: [
        [0, 'kwame', 'Six kilometres along the quay, twice a week. Slow people welcome: I am one.'],
        [8, 'amara', 'How slow is slow?'],
        [9, 'kwame', 'We are overtaken by ferries *while they moor*.', { '😂': 'amara leila hana' }],
        [11, 'amara', 'Then I am in.'],
        [15, 'leila', 'Me too, from next week on.', { '👍': 'kwame' }],
      ],
    },
    {
      topic: 'photos',
      day: 2,
      at: '17:00',
      lines: [
        [0, 'hana', 'The harbour from the pilot tower at sunset. I have no words, and a bad camera.'],
        [2, 'sofia', 'Describe the colours, please. I need them for the autumn map.'],
        [
          6,
          'hana',
          'Orange like the life jackets, then rose, then the blue of your logo.',
          { '💙': 'sofia priya leila', starred: 'sofia' },
        ],
        [10, 'sofia', 'The blue of our logo in nature. I can retire.', { ':tideline:': 'hana tomasz amara' }],
      ],
    },
    {
      topic: 'book club',
      day: 1,
      at: '12:15',
      lines: [
        [0, 'kwame', 'Page 90. There has been one lighthouse and no light.'],
        [4, 'priya', 'Patience. It is about the keeper.'],
        [7, 'leila', 'Do not tell us more! I am on page 12.'],
        [9, 'hana', 'Are there pirates?'],
        [10, 'priya', 'There is a tax inspector.'],
        [11, 'hana', 'That will do.', { '😂': 'priya kwame leila' }],
      ],
    },
    {
      topic: 'coffee machine',
      ago: 120,
      lines: [
        [0, 'noah', 'Descaled. It now says "thank you".'],
        [2, 'leila', 'It never said that to me.', { '😂': 'noah meiling' }],
        [5, 'tomasz', 'Ours still says "hello". It sounds lonely.'],
        [8, 'noah', 'I have vinegar left.', { '☕': 'tomasz leila' }],
      ],
    },
    {
      topic: 'weather',
      ago: 48,
      lines: [
        [0, 'hana', 'Wind from the north-west, up to nine tomorrow. Bring a jacket, or stay at home.'],
        [4, 'leila', 'Will you cancel sailings?'],
        [
          10,
          'hana',
          'The outer islands, probably after noon. You will see it in the app before anybody calls me.',
        ],
        [
          12,
          'kwame',
          'And without a connection, too, since yesterday.',
          { '🎉': 'hana priya', '🚀': 'noah' },
        ],
        [15, 'hana', 'I still have to get used to that!'],
      ],
    },
  ],
}
