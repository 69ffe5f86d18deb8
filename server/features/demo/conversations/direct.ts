import { type DirectConversation, text } from './conversation.ts'

export const direct: DirectConversation[] = [
  {
    with: ['amara', 'johannes'],
    day: 8,
    at: '09:05',
    lines: [
      [0, 'johannes', 'The lease of Lighthouse street ends in spring. Shall I ask for two more years?'],
      [12, 'amara', 'Ask for three and take two.'],
      [13, 'johannes', 'I learn every day.', { '😂': 'amara' }],
    ],
  },
  {
    with: ['priya', 'kwame'],
    day: 8,
    at: '15:45',
    lines: [
      [0, 'priya', 'Do you have half an hour to look at the cache with me? I think I am going in circles.'],
      [2, 'kwame', 'Now is good. Shall I call?'],
      [3, 'priya', 'Yes please.'],
      [48, 'priya', 'Thank you. Deleting 200 lines feels wonderful.', { '🔥': 'kwame' }],
    ],
  },
  {
    with: ['leila', 'hana'],
    day: 6,
    at: '13:20',
    lines: [
      [0, 'leila', 'A school class of thirty wants to go to Kite island with bicycles. Is that possible?'],
      [18, 'hana', 'On the 09:30 with the Meridian, if they announce themselves two days before.'],
      [20, 'leila', 'I will tell them. Thank you, you are quick!'],
      [
        22,
        'hana',
        'Tell them to bring a rope for the bicycles. They always forget the rope. 🚲',
        { '🙏': 'leila', starred: 'leila' },
      ],
    ],
  },
  {
    with: ['amara', 'johannes', 'meiling'],
    day: 5,
    at: '16:00',
    lines: [
      [
        0,
        'amara',
        'Between us three for now: Island Ferries would like to renew for two years, with the islands in the south.',
      ],
      [3, 'meiling', 'That is twice the piers. 🎉'],
      [4, 'johannes', 'And twice the contract. I will read it at the weekend.'],
      [
        11,
        'amara',
        text(
          'What I need from you before I answer:',
          '',
          '- Mei-Ling: can we do it with the people we have?',
          '- Johannes: is there anything odd in the small print?',
        ),
      ],
      [15, 'meiling', 'With one more engineer, yes. Without, only by dropping the ticket screen.'],
    ],
  },
  {
    with: ['noah', 'kwame'],
    day: 4,
    at: '14:40',
    lines: [
      [0, 'noah', 'Is it normal that I was afraid of the release button?'],
      [3, 'kwame', 'I have pressed it for three years and I still stand up to do it.', { '😂': 'noah' }],
      [4, 'noah', 'Good. Then I will stand, too.'],
    ],
  },
  {
    with: ['sofia', 'tomasz'],
    day: 3,
    at: '17:10',
    lines: [
      [0, 'tomasz', 'Your banner on the smallest phone we have. I moved nothing, I swear.'],
      [5, 'sofia', 'It looks like a subtitle. Let me cut two words.'],
      [9, 'sofia', '*Winter timetable from the 14th.* That is all it has to say.'],
      [10, 'tomasz', 'Fits with room to spare.', { '👍': 'sofia' }],
    ],
  },
  {
    with: ['amara', 'johannes', 'meiling'],
    day: 2,
    at: '10:10',
    lines: [
      [0, 'johannes', 'I have read all 41 pages. One sentence is odd: page 30 makes us liable for fog.'],
      [2, 'meiling', 'For *fog*?'],
      [
        6,
        'johannes',
        text(
          'Word for word:',
          '',
          '> The provider answers for delays of the display, whatever their cause, including weather.',
        ),
      ],
      [9, 'amara', 'That one goes. I will call them.', { '👍': 'johannes meiling', starred: 'johannes' }],
    ],
  },
  {
    with: ['leila', 'meiling'],
    day: 1,
    at: '09:20',
    lines: [
      [
        0,
        'leila',
        'Could I join the visit at the school next month? They ask for somebody who explains the app.',
      ],
      [7, 'meiling', 'You are the best person for it. Take two hours, and stickers.'],
      [8, 'leila', 'There are stickers?!'],
      [10, 'meiling', 'Third drawer, behind the tea.', { '🎉': 'leila' }],
    ],
  },
  {
    with: ['amara', 'priya'],
    day: 1,
    at: '17:05',
    lines: [
      [
        0,
        'amara',
        'Priya, I wanted to say it not only with cake: offline timetables are the best thing we have made.',
      ],
      [9, 'priya', 'That means a lot. Kwame found the idea that made it small, please tell him as well.'],
      [10, 'amara', 'I already have. 🙂', { '💙': 'priya' }],
    ],
  },
  {
    with: ['johannes', 'bot'],
    ago: 140,
    lines: [[0, 'bot', 'Your build key expires in 30 days. Renew it before then, or I stop.']],
  },
  {
    with: ['leila', 'hana'],
    ago: 110,
    lines: [
      [0, 'hana', 'The class with the bicycles has just sailed. They had forgotten the rope.'],
      [3, 'leila', 'No!'],
      [4, 'hana', 'We have learned. We keep thirty ropes.', { '😂': 'leila' }],
    ],
  },
  {
    with: ['amara', 'johannes', 'meiling'],
    ago: 65,
    lines: [
      [0, 'amara', 'The fog is out of the contract. We sign next week!'],
      [2, 'meiling', 'Wonderful. I will write the advertisement for the engineer.', { '👏': 'amara' }],
      [5, 'johannes', 'I bring the pens. The new ones, Sofía does not know.'],
    ],
  },
  {
    with: ['priya', 'kwame'],
    ago: 40,
    lines: [
      [0, 'kwame', 'The shipyard sends its thanks. That old antenna had been on for *months*.'],
      [2, 'priya', 'So the boat was overtaking itself?'],
      [3, 'kwame', 'Every single evening.', { '😂': 'priya' }],
    ],
  },
  {
    with: ['noah', 'tomasz'],
    ago: 30,
    lines: [
      [0, 'noah', 'Can I borrow the drawer again?'],
      [4, 'tomasz', 'It is full of cake.'],
    ],
  },
  {
    with: ['sofia', 'meiling'],
    ago: 26,
    lines: [
      [
        0,
        'meiling',
        'The sentence for the day without boats: would you try how it looks on the first screen?',
      ],
    ],
  },
]
