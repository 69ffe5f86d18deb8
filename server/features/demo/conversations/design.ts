import { type ChannelHistory, text } from './conversation.ts'

export const design: ChannelHistory = {
  channel: 'design',
  history: [
    {
      topic: 'map legend',
      day: 9,
      at: '14:00',
      lines: [
        [
          0,
          'sofia',
          'First thoughts on the legend. At present it explains eleven signs; people know three of them.',
        ],
        [6, 'johannes', 'Which three?'],
        [7, 'sofia', 'Boat, pier, and "you are here".', { '😂': 'johannes' }],
        [15, 'johannes', 'My mother believes the dotted line is a swimming route.'],
        [17, 'sofia', 'Your mother is my favourite tester. May I visit her?', { '👍': 'johannes' }],
      ],
    },
    {
      topic: 'budget for icons',
      day: 8,
      at: '10:40',
      lines: [
        [
          0,
          'sofia',
          'Drawing all icons ourselves takes me four days. Buying a set costs less than one of them, but looks like everybody else.',
        ],
        [
          14,
          'johannes',
          'Draw them. I have moved the money for the set to new pens.',
          { '💙': 'sofia', starred: 'sofia' },
        ],
      ],
    },
    {
      topic: 'map legend',
      day: 7,
      at: '13:15',
      lines: [
        [
          0,
          'sofia',
          text(
            'After three visits:',
            '',
            '- nobody opens the legend',
            '- everybody taps the sign itself',
            '- so the sign should explain itself',
          ),
        ],
        [11, 'johannes', 'No legend at all, then?'],
        [13, 'sofia', 'A tap shows a name and one sentence. I want Tomasz in here, he has to build it.'],
        [14, 'johannes', 'I will invite him tomorrow.'],
      ],
    },
    { day: 6, at: '09:30', joins: 'tomasz' },
    {
      topic: 'map legend',
      day: 6,
      at: '09:35',
      lines: [
        [
          0,
          'sofia',
          'Welcome @**Tomasz Nowak**! In short: the legend goes, every sign gets a sentence of its own when tapped.',
          { '👋': 'johannes' },
        ],
        [5, 'tomasz', 'I like it. How large is the target for a thumb?'],
        [8, 'sofia', 'At least 44 points, even where the sign is 16.'],
        [12, 'tomasz', 'Then two piers in the old town overlap. We could ask which one was meant.'],
        [
          19,
          'sofia',
          text(
            'Like this?',
            '',
            '```',
            '┌ Which pier? ──┐',
            '│ 3  Fish market │',
            '│ 4  Old town    │',
            '└───────────────┘',
            '```',
          ),
          { '👍': 'tomasz', starred: 'tomasz' },
        ],
        [22, 'tomasz', 'Exactly like this.'],
      ],
    },
    {
      topic: 'sign for loading',
      day: 6,
      at: '15:10',
      lines: [
        [
          0,
          'sofia',
          'For pier 7: a boat with an open ramp. Amber, not red. Red means danger and there is none.',
        ],
        [7, 'tomasz', 'At 16 points the ramp disappears. Could it be a dot beside the boat?'],
        [20, 'sofia', 'Two dots, like cars. Try it on the old phone, please.'],
        [64, 'tomasz', 'Two dots work. Even in sunlight.', { '🎉': 'sofia johannes' }],
      ],
    },
    {
      topic: 'dark colours',
      day: 5,
      at: '11:10',
      lines: [
        [0, 'tomasz', 'At night the map blinds the people on deck. Dark colours?'],
        [
          9,
          'sofia',
          text(
            'A first set:',
            '',
            '~~~css',
            ':root[data-scheme="dark"] {',
            '  --water: #10202e;',
            '  --land: #26303a;',
            '  --route: #7fc4ff;',
            '  --amber: #f2b134;',
            '}',
            '~~~',
          ),
        ],
        [16, 'tomasz', 'Water and land are close. On the cheap screen I see one grey sea.'],
        [27, 'sofia', 'Land to `#303c48`, then. Contrast 1.6 in place of 1.3.'],
        [35, 'tomasz', 'Better. The crew of the Skerry will test it tonight.', { '👀': 'sofia johannes' }],
      ],
    },
    {
      topic: 'dark colours',
      day: 4,
      at: '09:15',
      lines: [
        [
          0,
          'tomasz',
          text(
            'From the bridge of the *Skerry*:',
            '',
            '> We see the route, we see the land, and we see each other. Good.',
          ),
          { '💙': 'sofia', '🎉': 'johannes', starred: 'sofia' },
        ],
        [6, 'sofia', 'I could not have asked for more.'],
      ],
    },
    {
      topic: 'winter banner',
      day: 3,
      at: '10:20',
      lines: [
        [0, 'sofia', 'Banner for the winter timetable: one line, one date, one tap. No snowflakes.'],
        [3, 'johannes', 'Not even one?'],
        [4, 'sofia', 'Not even one.', { '😂': 'tomasz johannes' }],
        [18, 'tomasz', 'It covers the first row on small phones. Can it scroll away?'],
        [21, 'sofia', 'Yes, and it should come back only after a day.'],
        [
          25,
          'tomasz',
          text('So:', '', '1. shown a week ahead', '2. scrolls with the list', '3. dismissed for a day'),
          { '👍': 'sofia' },
        ],
      ],
    },
    {
      topic: 'new office sign',
      day: 2,
      at: '16:00',
      lines: [
        [
          0,
          'johannes',
          'The landlord allows a sign at the door, 40 by 40 centimetres. Do we have something square?',
        ],
        [12, 'sofia', 'The mark alone, without the name. Whoever knows it rings the bell.'],
        [15, 'johannes', 'And whoever does not?'],
        [16, 'sofia', 'Rings the bell and asks. 🙂', { '😂': 'tomasz johannes', ':tideline:': 'tomasz' }],
      ],
    },
    {
      topic: 'ticket screen',
      day: 1,
      at: '10:30',
      lines: [
        [0, 'sofia', 'Next one: the ticket screen. Six fields, and four of them we know already.'],
        [
          8,
          'tomasz',
          'We know the pier from the position, the date from the clock, the class from last time…',
        ],
        [
          10,
          'sofia',
          '…and the number of people from the last trip. So: *one* button, and a small "change".',
        ],
        [19, 'johannes', 'Will the accountants get what they need?'],
        [
          26,
          'sofia',
          'They get the same six fields. They are only filled in already.',
          { '👏': 'johannes tomasz' },
        ],
      ],
    },
    {
      topic: 'ticket screen',
      ago: 100,
      lines: [
        [0, 'tomasz', 'I built the one-button version overnight. It is rough but you can press it.'],
        [6, 'sofia', 'I pressed it eleven times. I own eleven tickets now?'],
        [7, 'tomasz', 'Eleven tickets to the test island.', { '😂': 'sofia johannes' }],
        [15, 'sofia', 'It needs a moment to say *what* it will buy. A second line under the button?'],
        [19, 'tomasz', '`Pier 3 → Kite island · 14:10 · 2 adults`, small and grey?'],
        [
          22,
          'sofia',
          'Not grey. It is the most important line of the screen.',
          { '💯': 'johannes', starred: 'tomasz' },
        ],
        [28, 'johannes', 'I agree with the line that says what I pay.'],
      ],
    },
  ],
}
