/** What schema 2 adds for organization. */
export const organization = `
`
