import '../rules.ts'
import './events.ts'

// What other features may use of documents. What programs and screens call is in calls.ts.
export { implementations, jobs, machines, reports } from './calls.ts'
export { home as homeFiguresOf } from './list/home.ts'
export { leftOnAccount, owedNow, owedOf } from './list/owed.ts'
export { convert as convertDocument } from './issuing/convert.ts'
export { cancel as cancelDocument } from './issuing/cancel.ts'
export { followPapers, registerConsequence, type IssuedPaper } from './issuing/consequences.ts'
export { credit as creditDocument, writeOff as writeOffDocument } from './issuing/credit.ts'
export { isWholeOfDebts, openSince, receivablesOn, wasInBooks } from './list/openSince.ts'
export { missingEntries, postMissingEntries, type MissingEntry } from './issuing/missingEntries.ts'
export { issue as issuePrepared } from './issuing/issue.ts'
export { answerOf as answerOfDocument } from './content/load.ts'
export { keepDraft as keepPrepared } from './content/keep.ts'
export {
  extendedPaper,
  fileName as documentFileName,
  freeName,
  sealedPaper,
  termsOnPaper,
  unsealedPaper,
} from './paper/papers.ts'
export { registerOnlinePayment, registerSignPage } from './paper/online.ts'
export { letterPdf, letterSvg, type LetterSource } from './paper/letter.ts'
export { statementPdf, statementSvg, type StatementSource } from './paper/statement.ts'
export { fixedBy, prepare as prepareDocument, type Fixed } from './content/prepare.ts'
export { neededByCard, neededDocument } from './content/needed.ts'
export type { Content, Prepared } from './content/shapes.ts'
export { rateAnew } from './content/exchange.ts'
export {
  contentOf,
  freshOf,
  load as loadDocument,
  loadLines,
  loadPayments,
  type StoredDocument,
} from './content/load.ts'
export { onlyAllowed } from './list/list.ts'
export { refuseShut } from './issuing/shut.ts'
export {
  mailsOf as mailsOfDocument,
  registerCompanion,
  registerSent,
  send as sendDocument,
  sendSms as sendDocumentSms,
} from './sending/send.ts'
export { paperLink } from './sending/page.ts'
export { signatureOf } from './paper/signature.ts'
export {
  dropOpeningItems,
  keepOpeningItems,
  nameOfPaper,
  openingNumber,
  paperLabel,
  typeOfPaper,
  type NamedPaper,
} from './content/opening.ts'
export {
  freeUp as freeMoney,
  loseMoney,
  openAgain,
  openItemsOf,
  regainMoney,
  settle as settleDocuments,
  standing as standingSettlements,
  type AskedAgain,
  type Standing as StandingSettlement,
} from './issuing/settle.ts'
export { keptCard, moneyCard } from './sending/card.ts'
