import { expect, test } from 'vitest'
import { nameFromFile, nameProblem, nameProblems } from './emoji-names.ts'

test('a file suggests a name', () => {
  expect(nameFromFile('Party Parrot (2).gif')).toBe('party_parrot_2')
  expect(nameFromFile('größe.PNG')).toBe('größe')
  expect(nameFromFile('archive.tar.gz')).toBe('archive_tar')
  expect(nameFromFile('???.png')).toBe('')
})

test('what cannot be a name says why', () => {
  expect(nameProblem('Ship It')).toBeNull()
  expect(nameProblem('  ')).toMatch(/Enter/)
  expect(nameProblem('a:b')).toMatch(/Only letters/)
  expect(nameProblem('wave-')).toMatch(/last character/)
  expect(nameProblem('x'.repeat(101))).toMatch(/At most 100/)
})

test('conflicts are found before anything is sent', () => {
  const problems = nameProblems(['Ship it', 'gone', 'new', 'NEW'], new Set(['ship_it']))
  expect(problems).toEqual([
    'An emoji has this name already.',
    null,
    null,
    'Another picture here has this name.',
  ])
})
