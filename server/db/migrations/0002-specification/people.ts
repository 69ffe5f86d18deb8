/** What schema 2 adds for people. */
export const people = `
`
