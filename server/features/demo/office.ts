/** Who works in the demo office, and where they meet. */
import { Role, type RoleNumber } from '../users/roles.ts'

interface DemoPerson {
  email: string
  full_name: string
  role: RoleNumber
  timezone: string
  /** Days ago. */
  joined: number
  /** How many of the newest messages of each channel they have not read. */
  behind: number
}

/** A small company that makes Tideline, an app with the timetables of ferries. Their order decides their ids. */
export const people = {
  amara: person('owner', 'Amara Okafor', Role.owner, 'Africa/Lagos', 210, 4),
  johannes: person('admin', 'Johannes Lindqvist', Role.administrator, 'Europe/Stockholm', 208, 9),
  meiling: person('moderator', 'Mei-Ling Chen', Role.moderator, 'Asia/Taipei', 190, 6),
  sofia: person('member1', 'Sofía Ramírez', Role.member, 'America/Mexico_City', 176, 14),
  tomasz: person('member2', 'Tomasz Nowak', Role.member, 'Europe/Warsaw', 151, 23),
  priya: person('member3', 'Priya Raman', Role.member, 'Asia/Kolkata', 188, 5),
  kwame: person('member4', 'Kwame Mensah', Role.member, 'Africa/Accra', 133, 11),
  leila: person('member5', 'Leila Haddad', Role.member, 'Asia/Beirut', 120, 18),
  noah: person('member6', 'Noah Whitaker', Role.member, 'Europe/London', 97, 38),
  hana: person('guest', 'Hana Sato', Role.guest, 'Asia/Tokyo', 64, 8),
  bot: person('bot', 'Build Bot', Role.member, '', 130, 12),
} as const satisfies Record<string, DemoPerson>

export type Person = keyof typeof people

function person(
  account: string,
  full_name: string,
  role: RoleNumber,
  timezone: string,
  joined: number,
  behind: number,
): DemoPerson {
  return { email: `${account}@demo.local`, full_name, role, timezone, joined, behind }
}

const staff: Person[] = ['amara', 'johannes', 'meiling', 'sofia', 'tomasz', 'priya', 'kwame', 'leila', 'noah']

interface DemoChannel {
  description: string
  creator: Person
  /** Subscribed before the first message. */
  members: Person[]
  isDefault?: boolean
  isPrivate?: boolean
  isWebPublic?: boolean
  onlyAdministratorsPost?: boolean
}

export const channels = {
  general: {
    description: 'What concerns the whole office.',
    creator: 'amara',
    members: [...staff, 'hana'],
    isDefault: true,
  },
  announcements: {
    description: 'Releases, dates and decisions. **Questions about them go to general.**',
    creator: 'amara',
    members: staff,
    isDefault: true,
    onlyAdministratorsPost: true,
  },
  engineering: {
    description: 'How Tideline is built, and what the builds say.',
    creator: 'johannes',
    members: ['amara', 'johannes', 'meiling', 'tomasz', 'priya', 'kwame', 'leila', 'noah', 'bot'],
  },
  design: {
    description: 'Drafts that are not ready for everybody.',
    creator: 'sofia',
    // Tomasz joins later and does not see what was written before.
    members: ['sofia', 'johannes'],
    isPrivate: true,
  },
  lounge: {
    description: 'Coffee, books and weather. Visitors may read along.',
    creator: 'leila',
    members: ['amara', 'meiling', 'sofia', 'tomasz', 'priya', 'kwame', 'leila', 'noah', 'hana'],
    isWebPublic: true,
  },
} as const satisfies Record<string, DemoChannel>

export type ChannelName = keyof typeof channels

export const channelList = Object.entries(channels) as [ChannelName, DemoChannel][]

/** What some have chosen for their subscriptions. */
export const subscriptionChoices: [Person, ChannelName, { is_muted?: 1; pin_to_top?: 1 }][] = [
  ['sofia', 'design', { pin_to_top: 1 }],
  ['priya', 'engineering', { pin_to_top: 1 }],
  ['noah', 'lounge', { is_muted: 1 }],
  ['leila', 'engineering', { is_muted: 1 }],
]

interface DemoGroup {
  name: string
  description: string
  members: Person[]
  subgroups: string[]
}

/** A group comes after those that it contains. */
export const groups: DemoGroup[] = [
  {
    name: 'backend',
    description: 'Timetables, positions and the interface',
    members: ['priya', 'kwame'],
    subgroups: [],
  },
  {
    name: 'engineers',
    description: 'Everybody who writes code',
    members: ['tomasz', 'noah'],
    subgroups: ['backend'],
  },
]
