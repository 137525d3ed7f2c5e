import { allRules, isOff, isUnlimited, type Session } from './session.ts'

/*
 * Every screen that a menu, a search or the page of all screens may name, and for whom it is. Menu, search, the row of
 * views over a page and the tests read this table. It hides and never refuses: rights and areas that are off do that.
 *
 * A line is a screen; an indented line is a view of the screen above it:
 *   tab     the row above the page leads to it, and the page of all screens names it
 *   filter  the same list or report with another filter or grouping
 *   action  begins something or answers one question
 *   entry   a page of the settings
 * `when` names areas and kinds: `a+b` both, `a/b` one of them. `vat` charges VAT, `dealer` pays income tax (every kind
 * except a non-profit), `worker`, `trainer`, `office`, `planner` (sets up the calendar) and `reader` (may see reports) are
 * kinds of person. A view needs what its screen needs.
 */
const table = `
home
allScreens
files
accounts when books
  totalBalance tab
  cardMatching tab
  customerCardReport filter
  providerCardReport filter
  accountCardReport filter
trialBalance when books
entries when books
  generalLedger tab
  journalBatches tab
  openingBalances tab
  journalEntry action
profitLoss
  balanceSheet tab when books
  profitYears filter
sortCodes when books
  cardKinds tab
  balanceCodes tab
  codes6111 tab
  vatCodes tab
  movementKinds tab
  vatAccounts filter
  vatCodeTerms filter
mainWorker when worker
items
  categories tab
  itemMovements tab when stock
  productMovements filter when stock
  skuCard filter when stock
  itemsCatalogue action
customers
  customerSolo filter
  customerForm action
priceLists when prices
projects when projects
  projectsReport tab
suppliers
  supplierPayments tab
  supplierDue tab
  suppliers2 filter
  expenditure filter
  reportSupplierBalances filter
  reportProviderPayment filter
  supplierForm action
report102 when withholding
  report1000 tab
  codeMasMakor tab
  reportFilingDifferences tab
  report856 tab
documents
  drafts tab
  purchaseDocuments tab when purchases
  ordersByState tab when orders
  paperBook filter
  quotes filter
  orders filter when orders
  deliveryNotes filter when orders
  returnNotes filter when orders
  paymentRequests filter
  receipts filter
  taxInvoices filter when vat
  invoiceReceipts filter when vat
  creditInvoices filter when vat
  donationReceipts filter when donations
  depositReceipts filter
  onAccount filter
  openOrdersByProduct filter when orders
  openOrdersByCustomer filter when orders
  missingIsraelTax filter when vat
  newDocument action
  purchases action when purchases
payments
  deposits tab
  reportChecks tab
  reportPayments filter
  newDeposit action
income
  profitSales tab when stock/books
  perCustomer filter
  itemsSales filter
  incomeByAgent filter
ageing
  owe tab
  oweSummary filter
signRequests when signing
  signTemplates tab
  signGroups tab
  signReport tab
storage when stock
  stocktaking tab
serialsSearch when stock+serials
  serialsCounter tab
  serialsInStock tab
  serialsMissing tab
  serialsCustomers tab
interactions when leads
  interactionArchive filter
leads when leads
  leadsReport tab
  leadTransfer action
letters when letters
outsideDocuments when outside
pestCustomers when pest
tasks
  kanban filter
expenses
  papers tab
  recurringExpenses tab
  reportExpenses tab
  reportExpensesTypeMonth filter
  reportExpensesPayments filter
  expensesBackup action
expensesArea when worker
  reportExpensesOnly tab
bankList when bank
  bankMatching tab
  bankReconciliation tab when books
  cashForecast tab
  cashMovements filter
  bankRules action
vaadPayMonth when committee
  tenantPayments tab
vaadExtra when committee
masavRun when masav
  masavDebits tab
  masavPayments tab
  masavCollections tab
paymentKeys
  payPages tab when payPages
  retainerPages tab when payPages+standingOrders
  payPagePayers tab when payPages
  coupons tab when payPages
  couponUse filter when payPages
historyPayments when cards
  cardDeclines tab
  saveCards tab when savedCards
  acquirerFees tab
  acquirerDeals tab
  acquirerDeposits filter
  acquirersOwe filter
retainers when standingOrders
  retainersWaiting tab
  retainersFailed tab
  retainersCompleted tab
  revenueRetainer tab
  subscriptions tab
classKinds when calendar+planner
  classGroups tab when classes
  classPlaces tab
calendar when calendar
  classPage tab
lobby when calendar+classes
  classEntries tab
  attendance tab
trainerDay when trainer
trainerWeek when trainer
  trainersAll tab
  trainerHistory tab
vat when vat
  reportPcn tab
  reportPcnVat tab when books
  vatPapers filter when books
  vatChanges tab when books
  vatGate tab
  vatReportLog tab
  israelTaxVerify action
  reportBadDebts action
  uninvoiced action
reportAdvance when dealer
  reportMakor tab
  reportMakorReceipts filter
  filingPapers filter when books
  filedChanges filter when books
  smallBusiness tab
openFormat when books
  report6111 tab
  uniformBalances tab
  uniformDocuments tab
fixedAssets when assets
  depreciation tab
  reportFixedAssets tab
  reportAssetsBooks tab when books
budget when budget
  budgetActual tab
periods when books
  booksProof tab
  revaluation tab
allReports when reader
  reportPlans tab
  reportBuilder filter
  reportShares filter
  myReports filter
shops when shops
  shopDifferences tab
cpaOnline
  cpaUser tab
  newCpa action
affiliates when affiliates
  affiliateReport tab
mainCpa when office
mainCpam when office
mainTime when time
timeTeam when time
questions
  support tab
  videos filter
  releaseNotes filter
  reportsBugs action
settings
  approvals entry
  companies entry
  businessDetails entry
  audit entry
  law entry
  modules entry
  workers entry
  newWorker entry
  permissions entry
  permissionsWorker entry
  permissionTrainers entry when classes
  leaves entry
  tools entry
  incomeKinds entry
  customerTypes entry
  customerStatuses entry
  portfolios entry
  customerFields entry
  exchangeRates entry
  settingsDocuments entry
  leadStages entry when leads
  leadKinds entry when leads
  leadCategories entry when leads
  leadSources entry when leads
  reminders entry
  codingRules entry
  expenseTypes entry
  onlineMarket entry
  settingsPayments entry
  mainPayment entry
  settingsReceipt entry
  trainerSettings entry when trainer
  israelTax entry when vat
  taxDonation entry when donations
  uniformImport entry
  apiKeys entry
  apiDoc entry
  webhooks entry
  bankFeeds entry when bank
  drive entry
  backup entry
  messages entry
`

export type PlaceKind = 'screen' | 'tab' | 'filter' | 'action' | 'entry'

export interface Place {
  name: string
  /** The screen it is a view of; its own name for a screen. */
  base: string
  as: PlaceKind
  /** Alternatives; each a list of what it needs at once. */
  when: readonly (readonly string[])[]
}

const places = new Map<string, Place>()
for (const line of table.split('\n')) {
  const [, indent = '', name, as = 'screen', when] =
    /^( *)(\w+)(?: (tab|filter|action|entry))?(?: when (\S+))?$/.exec(line) ?? []
  if (!name) continue
  const above: Place | undefined = indent
    ? [...places.values()].findLast(({ base, name }) => base === name)
    : undefined
  const needs = when?.split('/').map((one) => one.split('+')) ?? [[]]
  places.set(name, {
    name,
    base: above?.name ?? name,
    as: as as PlaceKind,
    when: above
      ? above.when.flatMap((first) => needs.map((second) => [...new Set([...first, ...second])]))
      : needs,
  })
}

export const allPlaces = (): readonly Place[] => [...places.values()]

/** Where a screen belongs; one that the table does not name is a screen for everybody. */
export const placeOf = (name: string): Place =>
  places.get(name) ?? { name, base: name, as: 'screen', when: [[]] }

/** What the table needs to know of a session. */
export type Visitor = Pick<Session, 'TypeID' | 'subTypeID' | 'rules'> &
  Partial<Pick<Session, 'areasOff' | 'areasHidden' | 'businessKind'>>

const mayAny = (rules: readonly number[], isOf: (name: string) => boolean): boolean =>
  isUnlimited(rules) || [...allRules()].some(([name, number]) => isOf(name) && rules.includes(number))

const isKind: Record<string, (of: Visitor) => boolean> = {
  vat: ({ businessKind }) => businessKind !== 'exemptDealer' && businessKind !== 'nonProfit',
  dealer: ({ businessKind }) => businessKind !== 'nonProfit',
  // A person of few rights sees what these rights open.
  worker: ({ TypeID, rules }) => TypeID === 8 || TypeID === 9 || !isUnlimited(rules),
  trainer: ({ subTypeID, rules }) => subTypeID === 2 || !isUnlimited(rules),
  office: ({ TypeID }) => TypeID === 5 || TypeID === 6,
  planner: ({ rules }) => mayAny(rules, (name) => name === 'calendar.setUp'),
  reader: ({ rules }) => mayAny(rules, (name) => name.startsWith('reports.')),
}

const holds = (need: string, of: Visitor): boolean =>
  isKind[need]?.(of) ?? !(isOff(of, need) || of.areasHidden?.includes(need))

/** What a person lacks to have a screen in the menu: areas that can be turned on, or what the law denies the business. */
export interface Lack {
  areas: string[]
  /** `vat` and `dealer` cannot be turned on. */
  kinds: string[]
}

/** What is missing for a screen to be shown; undefined when it is shown. */
export function lackOf(name: string, of: Visitor): Lack | undefined {
  const missing = placeOf(name).when.map((needs) => needs.filter((need) => !holds(need, of)))
  if (missing.some((needs) => needs.length === 0)) return undefined
  const least = missing.toSorted((a, b) => a.length - b.length)[0]!
  return {
    areas: least.filter((need) => !isKind[need]),
    kinds: least.filter((need) => isKind[need]),
  }
}

/** The areas that the table names. */
export const areasOfPlaces = (): string[] => [
  ...new Set(allPlaces().flatMap(({ when }) => when.flat().filter((need) => !isKind[need]))),
]
