import type { Wing } from '#kit/describe/wings.ts'
import type { FindCaller } from '#kit/server/http/api.ts'
import type { App } from '#kit/server/context.ts'
import type { Door } from '#kit/server/http/doors.ts'
import type { Implementation } from '#kit/server/contract/implement.ts'
import type { Job, SystemJob } from '#kit/server/work/jobs.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import type { Report } from '#kit/server/described/reports.ts'
import { findCaller as findSessionCaller } from '#features/base/session/server/index.ts'
import { findKeyCaller } from '#features/open/apiKeys/server/index.ts'
import { isKey } from '#kit/server/http/asked.ts'
import * as timetable from '#features/calendar/timetable/server/index.ts'
import * as passes from '#features/calendar/passes/server/index.ts'
import * as bookings from '#features/calendar/bookings/server/index.ts'
import * as trainers from '#features/calendar/trainers/server/index.ts'
import * as bookingPage from '#features/calendar/bookingPage/server/index.ts'
import * as session from '#features/base/session/server/index.ts'
import * as ledger from '#features/base/ledger/server/index.ts'
import * as files from '#features/base/files/server/index.ts'
import * as longJobs from '#features/base/jobs/server/index.ts'
import * as companies from '#features/base/companies/server/index.ts'
import * as team from '#features/base/team/server/index.ts'
import * as sms from '#features/base/sms/server/index.ts'
import * as modules from '#features/base/modules/server/index.ts'
import * as legal from '#features/base/legal/server/index.ts'
import * as law from '#features/base/law/server/index.ts'
import * as fileShares from '#features/base/fileShares/server/index.ts'
import * as imports from '#features/registers/imports/server/index.ts'
import * as parties from '#features/registers/parties/server/index.ts'
import * as suppliers from '#features/registers/suppliers/server/index.ts'
import * as items from '#features/registers/items/server/index.ts'
import * as prices from '#features/registers/prices/server/index.ts'
import * as projects from '#features/registers/projects/server/index.ts'
import * as rates from '#features/registers/rates/server/index.ts'
import * as documents from '#features/sales/documents/server/index.ts'
import * as documentJobs from '#features/sales/documentJobs/server/index.ts'
import * as corrections from '#features/sales/corrections/server/index.ts'
import * as payments from '#features/sales/payments/server/index.ts'
import * as einvoice from '#features/sales/einvoice/server/index.ts'
import * as signing from '#features/sales/signing/server/index.ts'
import * as stock from '#features/sales/stock/server/index.ts'
import * as salesReports from '#features/sales/salesReports/server/index.ts'
import * as correspondence from '#features/people/correspondence/server/index.ts'
import * as letters from '#features/people/letters/server/index.ts'
import * as outside from '#features/people/outside/server/index.ts'
import * as pest from '#features/people/pest/server/index.ts'
import * as reminders from '#features/people/reminders/server/index.ts'
import * as bell from '#features/people/bell/server/index.ts'
import * as tasks from '#features/people/tasks/server/index.ts'
import * as contacts from '#features/people/contacts/server/index.ts'
import * as leads from '#features/people/leads/server/index.ts'
import * as expenses from '#features/purchases/expenses/server/index.ts'
import * as expensesBackup from '#features/purchases/expensesBackup/server/index.ts'
import * as codingRules from '#features/purchases/codingRules/server/index.ts'
import * as supplierPayments from '#features/purchases/supplierPayments/server/index.ts'
import * as capture from '#features/purchases/capture/server/index.ts'
import * as acquirers from '#features/money/acquirers/server/index.ts'
import * as paymentLinks from '#features/money/paymentLinks/server/index.ts'
import * as savedCards from '#features/money/savedCards/server/index.ts'
import * as standingOrders from '#features/money/standingOrders/server/index.ts'
import * as payPages from '#features/money/payPages/server/index.ts'
import * as masav from '#features/money/masav/server/index.ts'
import * as committee from '#features/money/committee/server/index.ts'
import * as bank from '#features/money/bank/server/index.ts'
import * as settlements from '#features/money/settlements/server/index.ts'
import * as matching from '#features/money/matching/server/index.ts'
import * as vat from '#features/tax/vat/server/index.ts'
import * as allocation from '#features/tax/allocation/server/index.ts'
import * as donations from '#features/tax/donations/server/index.ts'
import * as filings from '#features/tax/filings/server/index.ts'
import * as uniform from '#features/tax/uniform/server/index.ts'
import * as journal from '#features/books/journal/server/index.ts'
import * as assets from '#features/books/assets/server/index.ts'
import * as revaluation from '#features/books/revaluation/server/index.ts'
import * as reportPlans from '#features/reports/reportPlans/server/index.ts'
import * as reportShares from '#features/reports/reportShares/server/index.ts'
import * as periods from '#features/books/periods/server/index.ts'
import * as proof from '#features/books/proof/server/index.ts'
import * as budget from '#features/books/budget/server/index.ts'
import * as questions from '#features/reports/questions/server/index.ts'
import * as messages from '#features/office/messages/server/index.ts'
import * as accountant from '#features/partners/accountant/server/index.ts'
import * as apiKeys from '#features/open/apiKeys/server/index.ts'
import * as webhooks from '#features/open/webhooks/server/index.ts'
import * as references from '#features/open/references/server/index.ts'
import * as agents from '#features/open/agents/server/index.ts'
import * as docs from '#features/open/docs/server/index.ts'
import * as sandbox from '#features/open/sandbox/server/index.ts'
import * as shops from '#features/connected/shops/server/index.ts'
import * as drive from '#features/connected/drive/server/index.ts'
import * as translations from '#features/connected/translations/server/index.ts'
import * as bankFeeds from '#features/connected/bankFeeds/server/index.ts'
import * as trade from '#features/open/trade/server/index.ts'
import * as approvals from '#features/base/approvals/server/index.ts'
import * as badDebts from '#features/tax/badDebts/server/index.ts'
import * as help from '#features/office/help/server/index.ts'
import * as support from '#features/office/support/server/index.ts'
import * as home from '#features/office/home/server/index.ts'
import * as requests from '#features/partners/requests/server/index.ts'
import * as affiliates from '#features/partners/affiliates/server/index.ts'
import * as time from '#features/partners/time/server/index.ts'
import * as practice from '#features/partners/practice/server/index.ts'
import * as demo from '#features/office/demo/server/index.ts'
import * as backup from '#features/office/backup/server/index.ts'

/** What a feature gives the server; every part may be absent. */
interface ServerFeature {
  implementations?: Implementation[]
  reports?: Report[]
  jobs?: Record<string, Job>
  systemJobs?: Record<string, SystemJob>
  /** Ways in of another shape, before the same calls. */
  doors?: Door[]
  /** Under what authority its jobs, long work, schedules and timers act. */
  machines?: Machines
  /** Starts what runs beside the calls; answers how to stop it. */
  start?: (app: App) => Promise<() => Promise<void>>
}

interface Feature extends ServerFeature {
  wing: Wing
  name: string
}

const wing = (name: Wing, doors: Record<string, ServerFeature>): Feature[] =>
  Object.entries(doors).map(([feature, door]) => ({ ...door, wing: name, name: feature }))

/**
 * The table of contents of the product, lowest wing first: a feature may use those above it and never those
 * below.
 */
const features: Feature[] = [
  ...wing('base', {
    session,
    ledger,
    files,
    jobs: longJobs,
    companies,
    team,
    sms,
    modules,
    legal,
    law,
    fileShares,
  }),
  ...wing('registers', {
    imports,
    parties,
    suppliers,
    items,
    prices,
    projects,
    rates,
  }),
  ...wing('sales', {
    documents,
    documentJobs,
    corrections,
    payments,
    einvoice,
    stock,
    salesReports,
    signing,
  }),
  ...wing('people', {
    correspondence,
    letters,
    outside,
    pest,
    reminders,
    bell,
    tasks,
    contacts,
    leads,
  }),
  ...wing('purchases', {
    expenses,
    expensesBackup,
    codingRules,
    supplierPayments,
    capture,
  }),
  ...wing('money', {
    acquirers,
    paymentLinks,
    savedCards,
    masav,
    standingOrders,
    committee,
    payPages,
    bank,
    matching,
    settlements,
  }),
  ...wing('calendar', {
    timetable,
    passes,
    bookings,
    trainers,
    bookingPage,
  }),
  ...wing('tax', {
    vat,
    allocation,
    donations,
    filings,
    uniform,
    badDebts,
  }),
  ...wing('books', {
    journal,
    assets,
    revaluation,
    periods,
    proof,
    budget,
  }),
  ...wing('reports', {
    questions,
    reportShares,
    reportPlans,
  }),
  ...wing('open', {
    apiKeys,
    webhooks,
    sandbox,
    references,
    docs,
    agents,
    trade,
    approvals,
  }),
  ...wing('connected', {
    shops,
    drive,
    bankFeeds,
    translations,
  }),
  ...wing('partners', {
    accountant,
    requests,
    practice,
    time,
    affiliates,
  }),
  ...wing('office', {
    messages,
    home,
    help,
    support,
    demo,
    backup,
  }),
]

export const implementations = features.flatMap((f) => f.implementations ?? [])
export const doors = features.flatMap((f) => f.doors ?? [])
export const reports = features.flatMap((f) => f.reports ?? [])
export const jobs: Record<string, Job> = Object.assign({}, ...features.map((f) => f.jobs ?? {}))
export const systemJobs: Record<string, SystemJob> = Object.assign(
  {},
  ...features.map((f) => f.systemJobs ?? {}),
)

/** What acts without being called, by feature (`wing/name`) and name. */
export const machines: ReadonlyMap<string, Machines> = new Map(
  features.map((f) => [`${f.wing}/${f.name}`, f.machines ?? {}]),
)

/** The wing of each call, by its name. */
export const wingOf: ReadonlyMap<string, Wing> = new Map(
  features.flatMap((f) => (f.implementations ?? []).map((i) => [i.endpoint.name, f.wing] as const)),
)

export const starts = features.flatMap((f) => f.start ?? [])

export { letterhead } from '#features/base/companies/server/index.ts'
export { languageFile } from '#features/base/session/server/index.ts'

/** A session's token, or the key of a program. */
export const findCaller: FindCaller = (app, token, address) =>
  isKey(token) ? findKeyCaller(app, token, address) : findSessionCaller(app, token)
