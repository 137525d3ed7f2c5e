/** The door for other features: where a price came from, in words. */
export { sourceText } from './words.ts'
