/** What schema 2 adds for personal. */
export const personal = `
`
