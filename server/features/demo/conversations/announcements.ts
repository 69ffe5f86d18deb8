import { type ChannelHistory, text } from './conversation.ts'

export const announcements: ChannelHistory = {
  channel: 'announcements',
  history: [
    {
      topic: 'how we use this place',
      day: 9,
      at: '09:00',
      lines: [
        [
          0,
          'amara',
          text(
            'Good morning everybody! From today this is where we talk. Three habits to begin with:',
            '',
            '1. One topic, one conversation. A new question gets a new topic.',
            '2. What you decide somewhere else, write down here.',
            '3. Nobody has to read everything. Mute what is not yours.',
          ),
          { '🎉': 'johannes meiling priya leila', '👍': 'sofia tomasz kwame noah', starred: 'noah leila' },
        ],
        [
          6,
          'johannes',
          'The old mailing list stays readable until the end of the quarter, then I archive it.',
          { '👍': 'amara meiling' },
        ],
      ],
    },
    {
      topic: 'releases',
      day: 7,
      at: '16:30',
      lines: [
        [
          0,
          'amara',
          text(
            '**Tideline 4.2 is out.** 🚢',
            '',
            '- Boats move on the map without jumping',
            '- Favourite piers on the first screen',
            '- Twelve bugs fewer, eight of them found by support',
          ),
          {
            '🎉': 'johannes meiling sofia tomasz priya kwame leila noah',
            ':tideline:': 'sofia tomasz leila',
          },
        ],
      ],
    },
    {
      topic: 'office',
      day: 6,
      at: '10:00',
      lines: [
        [
          0,
          'johannes',
          'Lighthouse street gets new windows next week. Whoever sits on the sea side: please clear the sills.',
          { '👍': 'sofia noah tomasz' },
        ],
        [2, 'johannes', 'Harbour house has free desks for those days, just sit down.'],
      ],
    },
    {
      topic: 'winter timetable',
      day: 4,
      at: '09:30',
      lines: [
        [
          0,
          'amara',
          'Island Ferries has confirmed the date of the winter timetable: it goes live **three weeks from now**. Planning is in general, under the same topic.',
          { '👀': 'priya kwame', '👍': 'meiling leila', starred: 'priya meiling' },
        ],
      ],
    },
    {
      topic: 'releases',
      day: 1,
      at: '16:45',
      lines: [
        [
          0,
          'amara',
          text(
            '**Tideline 4.3 is out.** The one everybody on the outer islands has been waiting for:',
            '',
            '> Timetables now work without any connection, for thirty days.',
            '',
            'Thank you Priya, Kwame and Tomasz. Cake at 15:00 tomorrow, both offices.',
          ),
          {
            '🎉': 'johannes meiling sofia leila noah',
            '🚀': 'kwame tomasz',
            ':tideline:': 'priya leila noah',
            starred: 'sofia',
          },
        ],
      ],
    },
    {
      topic: 'office',
      ago: 170,
      lines: [
        [
          0,
          'johannes',
          'The cake has arrived in both offices. One is lemon, one is not; no trading by post.',
        ],
      ],
    },
  ],
}
