/** Custom profile fields, one of each type, and what people have written in them. */
import { people, type Person } from './office.ts'

export const FieldType = {
  shortText: 1,
  longText: 2,
  choice: 3,
  date: 4,
  link: 5,
  person: 6,
  externalAccount: 7,
  pronouns: 8,
} as const

interface DemoField {
  type: (typeof FieldType)[keyof typeof FieldType]
  name: string
  hint: string
  fieldData?: object
  inSummary?: true
}

const offices = {
  harbour: { text: 'Harbour house', order: '1' },
  lighthouse: { text: 'Lighthouse street', order: '2' },
  remote: { text: 'Somewhere else', order: '3' },
}

const codeHost = { subtype: 'custom', name: 'Code host', url_pattern: 'https://code.example/%(username)s' }

/** Shown in this order. */
export const fields = {
  title: { type: FieldType.shortText, name: 'Job title', hint: 'In a few words', inSummary: true },
  about: { type: FieldType.longText, name: 'About me', hint: 'What colleagues may ask you about' },
  office: { type: FieldType.choice, name: 'Office', hint: 'Where your desk is', fieldData: offices },
  birthday: { type: FieldType.date, name: 'Birthday', hint: 'For the cake' },
  website: { type: FieldType.link, name: 'Website', hint: '' },
  mentor: { type: FieldType.person, name: 'Mentor', hint: 'Who showed you around' },
  code: {
    type: FieldType.externalAccount,
    name: 'Code host',
    hint: 'Your user name there',
    fieldData: codeHost,
  },
  pronouns: {
    type: FieldType.pronouns,
    name: 'Pronouns',
    hint: 'How others should speak of you',
    inSummary: true,
  },
} as const satisfies Record<string, DemoField>

type Field = keyof typeof fields

export const fieldList = Object.entries(fields) as [Field, DemoField][]

type Answers = Partial<Omit<Record<Field, string>, 'office' | 'mentor'>> & {
  office?: keyof typeof offices
  mentor?: Person[]
}

export const profiles: Partial<Record<Person, Answers>> = {
  amara: {
    title: 'Founder',
    about: 'Grew up **on a ferry pier**. Ask me about tenders, tides and jollof rice.',
    office: 'harbour',
    birthday: '1981-03-14',
    website: 'https://amara.example/',
    pronouns: 'she/her',
  },
  johannes: {
    title: 'Office and operations',
    about: 'Keys, contracts, laptops, and *the coffee machine*.',
    office: 'harbour',
    birthday: '1976-11-02',
    code: 'jlindqvist',
    pronouns: 'he/him',
  },
  meiling: {
    title: 'Product manager',
    about: 'I keep the list of what we do **not** build.',
    office: 'remote',
    birthday: '1989-07-21',
    mentor: ['amara'],
    pronouns: 'she/her',
  },
  sofia: {
    title: 'Designer',
    about: 'Maps, legends, and why that blue is not *that* blue.',
    office: 'lighthouse',
    birthday: '1993-01-30',
    website: 'https://sofia-draws.example/portfolio',
    mentor: ['meiling'],
    pronouns: 'she/her',
  },
  tomasz: {
    title: 'Engineer, `app`',
    about: 'Screens that stay smooth on old phones.',
    office: 'lighthouse',
    birthday: '1990-05-08',
    mentor: ['sofia', 'priya'],
    code: 'tnowak',
    pronouns: 'he/him',
  },
  priya: {
    title: 'Engineer, `timetables`',
    about: 'Anything with calendars: leap days, late ferries, daylight saving time.',
    office: 'remote',
    birthday: '1987-12-19',
    website: 'https://priya.example/notes',
    code: 'praman',
    pronouns: 'she/her',
  },
  kwame: {
    title: 'Engineer, `positions`',
    about: 'I turn antenna noise into boats on a map.',
    office: 'remote',
    mentor: ['priya'],
    code: 'kmensah',
    pronouns: 'he/him',
  },
  leila: {
    title: 'Support',
    about: 'I read every review, *even those in capitals*.',
    office: 'harbour',
    birthday: '1995-09-03',
    mentor: ['johannes'],
    pronouns: 'she/they',
  },
  noah: {
    title: 'Engineer, `builds and servers`',
    office: 'lighthouse',
    birthday: '1998-02-11',
    mentor: ['kwame'],
    code: 'nwhitaker',
    pronouns: 'they/them',
  },
  hana: {
    title: 'Island Ferries, timetable desk',
    about: 'Your contact for piers, crews and special sailings.',
    website: 'https://island-ferries.example/',
  },
}

/** An answer as it is stored. */
export const storedAnswer = (answer: string | Person[], idOf: (person: Person) => number): string =>
  typeof answer === 'string' ? answer : JSON.stringify(answer.map(idOf))

export const profileList = (Object.keys(people) as Person[]).flatMap((person) =>
  (Object.entries(profiles[person] ?? {}) as [Field, string | Person[]][]).map(([field, answer]) => ({
    person,
    field,
    answer,
  })),
)
