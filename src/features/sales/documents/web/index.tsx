/** The door for other features: how a document is named, and in which state it stands. */
export { documentName, itemName, paperName, typeWord } from './words.ts'
export { PaymentDetails } from './editor/PaymentDetails.tsx'
export { PaperPages } from './page/PaperPages.tsx'
export { stateOf } from './page/state.tsx'
