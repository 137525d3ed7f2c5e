import { implement } from '#kit/server/contract/implement.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { ahead, answer } from './answer.ts'
import { changeBasis, getBasis } from './basis.ts'
import { exportOfDocument, setExportEntry } from './exports.ts'
import {
  download,
  file,
  filingFile,
  listFilings,
  markSent,
  payVat,
  periodFacts,
  reopen,
  settleFiling,
} from './filings.ts'
import { ask, gate, mailLetter, postpone } from './gate.ts'
import { pcn } from './reports/pcn.ts'
import { pcnVat } from './reports/pcnVat.ts'
import { vat } from './reports/vat.ts'
import { vatChanges } from './reports/vatChanges.ts'
import { vatPapers } from './reports/vatPapers.ts'
import { issueUninvoiced, uninvoiced } from './uninvoiced.ts'

export { answerInShort as vatAnswerOf, vatHeld, vatOfPeriod, vatToCome } from './answer.ts'
export { billsWithoutAllocation, gate as vatGateOf } from './gate.ts'
export { basisChanges, countsWhenPaid, reportedThrough, reportingCompany, waitsFrom } from './basis.ts'
export { broughtUntil, reportedUntil } from './books.ts'
export { file as fileReturn, markSent as markReturnSent, payVat, standingFiling } from './filings.ts'
export { ceilingOf, turnoverByMonth, turnoverNotices } from './turnover.ts'
export { uninvoicedNotice } from './uninvoiced.ts'
export { workOut as workOutVat } from './worked.ts'

export const implementations = [
  implement(calls.vatPeriodFacts, periodFacts),
  implement(calls.pcn874, download),
  implement(calls.listFilings, listFilings),
  implement(calls.fileReturn, file),
  implement(calls.filingFile, filingFile),
  implement(calls.markSent, markSent),
  implement(calls.reopenFiling, reopen),
  implement(calls.vatAhead, ahead),
  implement(calls.vatAnswer, answer),
  implement(calls.vatGate, gate),
  implement(calls.postponeBill, postpone),
  implement(calls.askSupplier, ask),
  implement(calls.getVatBasis, getBasis),
  implement(calls.changeVatBasis, changeBasis),
  implement(calls.settleFiling, settleFiling),
  implement(calls.payVat, payVat),
  implement(calls.exportOfDocument, exportOfDocument),
  implement(calls.setExportEntry, setExportEntry),
  implement(calls.uninvoiced, uninvoiced),
  implement(calls.issueUninvoiced, issueUninvoiced),
]

export const reports = [vat, pcn, pcnVat, vatPapers, vatChanges]

export const jobs = { 'vat.mail': mailLetter }

export const machines: Machines = {
  'vat.mail': { completes: 'a letter that a call queued within the rights of its caller' },
}
