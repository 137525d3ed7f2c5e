import type { FindCaller } from './kit/server/api.ts'
import type { App } from './kit/server/context.ts'
import type { Implementation } from './kit/server/implement.ts'
import type { Job, SystemJob } from './kit/server/jobs.ts'
import type { Report } from './kit/server/reports.ts'
import * as session from './features/session/server/index.ts'
import * as ledger from './features/ledger/server/index.ts'
import * as files from './features/files/server/index.ts'
import * as longJobs from './features/jobs/server/index.ts'
import * as imports from './features/imports/server/index.ts'
import * as companies from './features/companies/server/index.ts'
import * as team from './features/team/server/index.ts'
import * as parties from './features/parties/server/index.ts'
import * as suppliers from './features/suppliers/server/index.ts'
import * as items from './features/items/server/index.ts'
import * as prices from './features/prices/server/index.ts'
import * as projects from './features/projects/server/index.ts'
import * as rates from './features/rates/server/index.ts'
import * as sms from './features/sms/server/index.ts'
import * as documents from './features/documents/server/index.ts'
import * as corrections from './features/corrections/server/index.ts'
import * as documentJobs from './features/documentJobs/server/index.ts'
import * as payments from './features/payments/server/index.ts'
import * as paymentLinks from './features/paymentLinks/server/index.ts'
import * as expenses from './features/expenses/server/index.ts'
import * as vat from './features/vat/server/index.ts'
import * as journal from './features/journal/server/index.ts'
import * as codingRules from './features/codingRules/server/index.ts'
import * as supplierPayments from './features/supplierPayments/server/index.ts'
import * as masav from './features/masav/server/index.ts'
import * as allocation from './features/allocation/server/index.ts'
import * as donations from './features/donations/server/index.ts'
import * as capture from './features/capture/server/index.ts'
import * as einvoice from './features/einvoice/server/index.ts'
import * as correspondence from './features/correspondence/server/index.ts'
import * as letters from './features/letters/server/index.ts'
import * as outside from './features/outside/server/index.ts'
import * as reminders from './features/reminders/server/index.ts'
import * as messages from './features/messages/server/index.ts'
import * as assets from './features/assets/server/index.ts'
import * as revaluation from './features/revaluation/server/index.ts'
import * as filings from './features/filings/server/index.ts'
import * as periods from './features/periods/server/index.ts'
import * as proof from './features/proof/server/index.ts'
import * as accountant from './features/accountant/server/index.ts'
import * as modules from './features/modules/server/index.ts'
import * as apiKeys from './features/apiKeys/server/index.ts'
import * as uniform from './features/uniform/server/index.ts'
import * as bank from './features/bank/server/index.ts'
import * as matching from './features/matching/server/index.ts'
import * as demo from './features/demo/server/index.ts'
import * as backup from './features/backup/server/index.ts'

/** What a feature gives the server; every part may be absent. */
interface ServerFeature {
  implementations?: Implementation[]
  reports?: Report[]
  jobs?: Record<string, Job>
  systemJobs?: Record<string, SystemJob>
  /** Starts what runs beside the calls; answers how to stop it. */
  start?: (app: App) => Promise<() => Promise<void>>
}

/** The table of contents of the product, lowest first: a feature may use those above it and never those below. */
export const features: Record<string, ServerFeature> = {
  session,
  ledger,
  files,
  jobs: longJobs,
  imports,
  companies,
  team,
  parties,
  suppliers,
  items,
  prices,
  projects,
  rates,
  sms,
  documents,
  documentJobs,
  corrections,
  payments,
  paymentLinks,
  einvoice,
  correspondence,
  letters,
  outside,
  expenses,
  vat,
  journal,
  codingRules,
  supplierPayments,
  masav,
  allocation,
  donations,
  capture,
  reminders,
  messages,
  assets,
  revaluation,
  filings,
  periods,
  proof,
  accountant,
  modules,
  apiKeys,
  uniform,
  bank,
  matching,
  demo,
  backup,
}

const each = Object.values(features)
export const implementations = each.flatMap((f) => f.implementations ?? [])
export const reports = each.flatMap((f) => f.reports ?? [])
export const jobs: Record<string, Job> = Object.assign({}, ...each.map((f) => f.jobs ?? {}))
export const systemJobs: Record<string, SystemJob> = Object.assign({}, ...each.map((f) => f.systemJobs ?? {}))

export const starts = each.flatMap((f) => f.start ?? [])

export { letterhead } from './features/companies/server/index.ts'
export { languageFile } from './features/session/server/index.ts'

/** A session's token, or the key of a program. */
export const findCaller: FindCaller = (app, token, address) =>
  token.startsWith(apiKeys.keyBeginning) ? apiKeys.findKeyCaller(app, token, address) : session.findCaller(app, token)
