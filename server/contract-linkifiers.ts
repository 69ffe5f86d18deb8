/** The renderer's door to how linkifiers find what they find: apart, since the regular expressions are heavy. */
export { compileLinkifiers, findLinkifiers } from './services/markdown/linkifiers.ts'
