/** The door for other features: how a document is named, and in which state it stands. */
export { documentName, termsWord, typeWord } from './words.ts'
export { DocumentState, stateOf } from './state.tsx'
