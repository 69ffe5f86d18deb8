/** What schema 2 adds for channels. */
export const channels = `
`
