/** The interface for other features: the name of a document and its state. */
export { documentName, itemName, paperName, typeWord } from './words.ts'
export { PaymentDetails } from './editor/PaymentDetails.tsx'
export { PaperPages } from './page/PaperPages.tsx'
export { stateOf } from './page/state.tsx'
