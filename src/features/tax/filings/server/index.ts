import { implement } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { allCertificates, certificate, mailCertificate, send } from './certificates.ts'
import { codeImplementations } from './codes.ts'
import { customersOf, drop, keep } from './customers.ts'
import { file6111Of, form6111Of, keepHead } from './form6111.ts'
import { export856Of, form856Of } from './form856.ts'
import * as small from './smallBusiness.ts'
import { advances } from './reports/advances.ts'
import { filedChanges } from './reports/filedChanges.ts'
import { filingDifferences } from './reports/filingDifferences.ts'
import { filingPapers } from './reports/filingPapers.ts'
import { report102 } from './reports/report102.ts'
import { withheldReceipts } from './reports/withheldReceipts.ts'

export { showFilings } from './demo.ts'
export { namedIn856, withheldIn } from './duties.ts'
export { smallFiledIn } from './smallBusiness.ts'
export { form6111Of } from './form6111.ts'
export { advances } from './reports/advances.ts'

export const implementations = [
  ...codeImplementations,
  implement(calls.form856, form856Of),
  implement(calls.export856, export856Of),
  implement(calls.certificate857, certificate),
  implement(calls.certificates857, allCertificates),
  implement(calls.send857, send),
  implement(calls.withheldByCustomers, customersOf),
  implement(calls.keepCertificate, keep),
  implement(calls.dropCertificate, drop),
  implement(calls.form6111, form6111Of),
  implement(calls.keepHead6111, keepHead),
  implement(calls.file6111, file6111Of),
  implement(calls.smallBusiness, small.show),
  implement(calls.electSmall, small.elect),
  implement(calls.getSmallPayment, small.payment),
  implement(calls.addSmallPayment, small.addPayment),
  implement(calls.dropSmallPayment, small.dropPayment),
  implement(calls.getSmallStatement, small.statement),
  implement(calls.fileSmallStatement, small.file),
  implement(calls.reopenSmallStatement, small.reopen),
]

export const jobs: Record<string, Job> = { 'filings.mail857': mailCertificate }

export const reports = [report102, advances, withheldReceipts, filingDifferences, filingPapers, filedChanges]

export const machines: Machines = {
  'filings.mail857': { completes: 'a letter that a call queued within the rights of its caller' },
}
