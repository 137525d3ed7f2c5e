/** One record of a test business: the call that makes it, and what is sent beside the example of that call. */
export interface Step {
  /** Its name in examples (`@documents.draft`); without a name it only changes another record. */
  record?: string
  call: string
  input?: Record<string, unknown>
  /** Where the id is in the answer. */
  id?: string
  /** The number of its id among those that the call makes; looked for where it is absent and can be. */
  nth?: number
  /** Nothing of the example is sent. */
  isDone?: true
}

/** The card that a payer gave before; the other one is brought by the example. */
export const secondToken = 'TOK-TEST-1111'

const one = (record: string, call: string, input?: Record<string, unknown>, id?: string): Step => ({
  record,
  call,
  ...(input ? { input } : {}),
  ...(id ? { id } : {}),
})
const then = (call: string, input: Record<string, unknown>): Step => ({ call, input, isDone: true })

const invoice = (record: string, more: Record<string, unknown> = {}): Step => ({
  record,
  call: 'documents.create',
  isDone: true,
  input: {
    type: 8,
    customerId: '@customers',
    lines: [{ description: 'Hosting, May', unitPrice: '145' }],
    ...more,
  },
})
const expense = (record: string, number: string, more: Record<string, unknown> = {}): Step => ({
  record,
  call: 'expenses.create',
  isDone: true,
  input: {
    supplierId: '@suppliers',
    supplierNumber: number,
    lines: [{ typeId: '@expensetypes', netAgorot: 14_500, vatAgorot: 2_610 }],
    ...more,
  },
})

const text = (content: string): Uint8Array => new TextEncoder().encode(content)

/** A page without anything on it. */
const page = text(
  [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj',
    'trailer<</Root 1 0 R/Size 4>>',
    '%%EOF',
  ].join('\n'),
)
/** One white point. */
const picture = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
    'base64',
  ),
)

export const steps: readonly Step[] = [
  // Books.
  one('accounts', 'accounts.create', { number: '6998', name: 'Samples', kind: 'expense' }),
  one('accounts.spare', 'accounts.create', { number: '6997', name: 'Spare', kind: 'expense' }),
  one('entries', 'ledger.addEntry'),
  one('accounts.income', 'accounts.create', { number: '4998', name: 'Sample income', kind: 'income' }),
  one('cardKinds', 'cardKinds.create', { name: 'Machines', fromNumber: '1900', toNumber: '1950' }),
  one('sortCodes', 'sortCodes.create', { code: '451' }),
  one('balanceCodes', 'balanceCodes.create', { code: '791' }),
  one('vatCodes', 'vatCodes.create', { code: 'EXQ' }),
  one('vatCodeTerms', 'vatCodeTerms.create', { fromDay: '2026-01-01' }),
  one('movementKinds', 'movementKinds.create', { code: 'RENT2' }),
  one('journalLines', 'journalLines.create'),
  one('batches', 'batches.create'),
  one('fixedassets', 'fixedassets.create'),
  one('openingCustomers', 'openingCustomers.create', { number: '1001' }),
  one('openingSuppliers', 'openingSuppliers.create', { number: '1002' }),
  // Registers.
  one('suppliers.other', 'suppliers.create', { name: 'Print House' }),
  then('suppliers.changeBank', { id: '@suppliers', bankCode: 12, bankBranch: '600', bankAccount: '123456' }),
  one('items.stocked', 'items.create', { name: 'Lamp', sku: 'LAMP-1', isStocked: true }),
  one('items.serial', 'items.create', { name: 'Phone', sku: 'PHONE-1', isStocked: true, tracking: 'serial' }),
  one('customerTypes', 'customerTypes.create', { name: 'Regular' }),
  one('customerStatuses', 'customerStatuses.create', { name: 'Active customer' }),
  one('portfolios', 'portfolios.create', { name: 'North' }),
  one('customerFields', 'customerFields.create', { name: 'Contract' }),
  one('customerContacts', 'customerContacts.create'),
  one('customerAddresses', 'customerAddresses.create'),
  one('withholdingCertificates', 'withholdingCertificates.create'),
  one('categories', 'categories.create', { name: 'Furniture' }),
  one('incomeKinds', 'incomeKinds.create', { name: 'Sample sales' }),
  one('priceLists', 'priceLists.create', { name: 'Retail' }),
  one('priceListLines', 'priceListLines.create', { fromQuantity: '10' }),
  one('customerPrices', 'customerPrices.create', { fromQuantity: '10' }),
  one('priceLists.changed', 'priceLists.changeLines', { id: '@priceLists', change: { basisPoints: 100 } }),
  one('projects', 'projects.create', { name: 'Old office' }),
  then('rates.keep', { currency: 'USD', day: '2026-11-23', rate: '3.70' }),
  // Sales.
  one('files', 'files.upload', { name: 'note.txt', bytes: text('A note') }),
  one('files.attached', 'files.upload', { name: 'contract.txt', bytes: text('A contract') }),
  then('files.attach', { id: '@files.attached', entity: 'customers', entityId: '@customers' }),
  one('files.picture', 'files.upload', { name: 'chair.png', bytes: picture }),
  one('files.folder', 'files.makeFolder', { name: 'Papers' }),
  one('fileShares', 'fileShares.create'),
  then('files.attach', { id: '@files.picture', entity: 'items', entityId: '@items' }),
  invoice('documents', { clientKey: 'order-1000' }),
  one('files.ofDocument', 'files.upload', { name: 'terms.txt', bytes: text('Terms') }),
  then('files.attach', { id: '@files.ofDocument', entity: 'documents', entityId: '@documents' }),
  invoice('documents.draft', { draft: true }),
  invoice('documents.quote', { type: 1 }),
  invoice('documents.receipt', {
    type: 9,
    payments: [{ means: 3, amountAgorot: 17_110, reference: 'wire 990' }],
  }),
  one('payments', 'payments.create', {
    payments: [
      {
        means: 2,
        amountAgorot: 10_000,
        bank: '12',
        branch: '600',
        account: '123456',
        number: '1001',
        dueDate: '@today+30',
      },
    ],
  }),
  invoice('documents.cash', { type: 9, payments: [{ means: 1, amountAgorot: 17_110 }] }),
  one('deposits', 'deposits.create', { cashAgorot: 5_000 }),
  one(
    'payments.cheque',
    'payments.create',
    {
      payments: [
        {
          means: 2,
          amountAgorot: 10_000,
          bank: '12',
          branch: '600',
          account: '123456',
          number: '1002',
          dueDate: '@today+30',
        },
      ],
    },
    'payments.0.id',
  ),
  one('stockplaces', 'stockplaces.create', { name: 'Main store' }),
  one('stockplaces.other', 'stockplaces.create', { name: 'Second store' }),
  then('stock.adjust', { id: '@items.stocked', quantity: '10', reason: 'Counted' }),
  then('serials.receive', { itemId: '@items.serial', numbers: ['SN-1001', 'SN-1002'] }),
  one('stockCounts', 'stockCounts.begin'),
  one('signGroups', 'signGroups.make', { name: 'Directors' }),
  // People.
  one('letterTemplates', 'letterTemplates.create', { name: 'Reminder' }),
  one('signTemplates', 'signTemplates.upload', { bytes: page }),
  one('signTemplates.ready', 'signTemplates.upload', { bytes: page }),
  { call: 'signTemplates.fields', input: { id: '@signTemplates.ready' } },
  one('outsideDocuments', 'outsideDocuments.upload', { name: 'Contract', bytes: page }),
  one('signRequests', 'signRequests.consent', { customerId: '@customers.other' }),
  one('letters.sent', 'letters.make'),
  then('letters.dispatch', { id: '@letters.sent', to: 'office@example.com' }),
  one('letters', 'letters.make', { title: 'A letter' }),
  one('pestsites', 'pestsites.create'),
  one('pestlicences', 'pestlicences.create'),
  one('pesttreatments', 'pesttreatments.create'),
  one('boards', 'boards.create', { name: 'Orders' }),
  one('tasks', 'tasks.create', { title: 'Call back' }),
  one('tasks.item', 'tasks.addItem', { id: '@tasks', text: 'Bring samples' }, 'itemId'),
  one('interactions', 'interactions.create'),
  one('leadStages', 'leadStages.create', { name: 'Visited' }),
  one('leadCategories', 'leadCategories.create', { name: 'Private' }),
  one('leadKinds', 'leadKinds.create', { name: 'Renovation' }),
  one('leadSources', 'leadSources.create', { name: 'Fair' }),
  one('leads', 'leads.create', { name: 'Noa Levi', phone: '03-5550123' }),
  // Purchases.
  one('expensetypes', 'expensetypes.create', { name: 'Bread' }),
  one('recurringexpenses', 'recurringexpenses.create', { name: 'Rent', firstDay: '@today+40' }),
  one('recurringexpenses.skipped', 'recurringexpenses.create', { name: 'Cleaning', firstDay: '@today+40' }),
  then('recurringexpenses.skip', { id: '@recurringexpenses.skipped', day: '@today+40', reason: 'On leave' }),
  expense('expenses', '7701'),
  expense('expenses.draft', '7703', { draft: true }),
  one('papers', 'papers.add', { name: 'bill.pdf', bytes: page }),
  expense('expenses.other', '7702'),
  expense('expenses.paid', '7704'),
  one('codingrules', 'codingrules.create', { name: 'Bread', supplierId: '@suppliers' }),
  one('supplierpayments', 'supplierpayments.create', { bills: [{ id: '@expenses.other' }] }),
  // Money.
  { record: 'savedCards', call: 'savedCards.bring', input: { token: secondToken }, nth: 1 },
  {
    record: 'cardCharges',
    call: 'savedCards.charge',
    input: { once: '@cardCharges.once' },
    id: 'chargeId',
    nth: 1,
  },
  one('paymentLinks', 'paymentLinks.create', { reference: 'order-1000' }),
  one('standingOrders', 'standingOrders.create', { documentType: 8, startDay: '@today+3' }),
  one('standingOrders.paused', 'standingOrders.create', { title: 'Cleaning', startDay: '@today+3' }),
  then('standingOrders.pause', { id: '@standingOrders.paused' }),
  then('priceIndices.keep', { month: '2026-09-01', value: '118.1' }),
  one('standingOrders.campaign', 'standingOrders.keepCampaign', { name: 'Strict' }),
  one('committeebuildings', 'committeebuildings.create', { name: '12 Olive St', openedOn: '2026-01-01' }),
  one('committeeflats', 'committeeflats.create', { number: '3' }),
  one('committeeflats.other', 'committeeflats.create', { number: '4' }),
  one('committeepeople', 'committeepeople.create', { flatId: '@committeeflats', fromDay: '2026-01-01' }),
  then('committee.setRate', {
    id: '@committeebuildings',
    fromMonth: '2026-01',
    rule: 'equal',
    agorot: 20_000,
  }),
  one('committee.levy', 'committee.levy', { name: 'Roof', agorot: 100_000 }),
  then('customerPages.make', { id: '@customers' }),
  one('payPages', 'payPages.create'),
  one('coupons', 'coupons.create', { code: 'WINTER' }),
  one('bankaccounts', 'bankaccounts.create', { name: 'Sample account' }),
  one('bankrules', 'bankrules.create', { contains: 'COMMISSION' }),
  then('masav.saveSettings', { institution: '1', sender: '1', code: 'A' }),
  one('masav', 'masav.makeCredits', {
    suppliers: [{ supplierId: '@suppliers', bills: [{ id: '@expenses.paid' }] }],
  }),
  one('cardRequests', 'cardRequests.make'),
  one('settlements', 'settlements.addDeposit', { day: '2026-11-23' }),
  // Calendar.
  one('classPlaces', 'classPlaces.create', { name: 'Studio' }),
  one('classKinds', 'classKinds.create', { name: 'Yoga' }),
  one('classKinds.spare', 'classKinds.create', { name: 'Dance' }),
  one('classTrainers', 'classTrainers.create', { name: 'Tal', supplierId: '@suppliers' }),
  one('classTrainers.other', 'classTrainers.create', { name: 'Gal' }),
  one('classGroups', 'classGroups.create', { name: 'Monday', fromDay: '@today+1' }),
  one('classes', 'classes.create', { day: '@today+5', trainerId: '@classTrainers' }, 'row.id'),
  one('classBlocks', 'classBlocks.create', { fromDay: '@today+20', toDay: '@today+20' }),
  one('passKinds', 'passKinds.create', { name: 'Ten visits', visits: 10, freezeDays: 14 }),
  one('passKinds.monthly', 'passKinds.create', {
    name: 'Month',
    renews: 'month',
    days: 30,
    priceAgorot: 10_000,
  }),
  one('passes', 'passes.sell'),
  one('bookings', 'bookings.make', { customerId: '@customers' }),
  one('classes.other', 'classes.create', { day: '@today+6', trainerId: '@classTrainers' }, 'row.id'),
  one('classSwaps', 'classSwaps.ask', { classId: '@classes.other' }),
  // Tax.
  then('filings.keepCertificate', {
    customerId: '@customers',
    year: 2025,
    withheldAgorot: 17_110,
    gotDate: '2026-01-24',
  }),
  { call: 'filings.keepHead6111', input: { year: 2025 } },
  one('vat', 'vat.file', { period: '2026-08' }),
  one('uniform', 'uniform.make', { from: '2026-01-01', to: '2026-11-24' }, 'fileId'),
  one('fixedassets.sold', 'fixedassets.create', { name: 'Old van' }),
  then('fixedassets.dispose', { id: '@fixedassets.sold', how: 'sold', date: '2026-11-25' }),
  one('forecast', 'forecast.addSum', { name: 'Fair', firstDay: '@today+10' }),
  one('expensesBackup', 'expensesBackup.make', {}, 'fileId'),
  // Reports and programs.
  one('questions', 'questions.keep', { name: 'Income by month' }),
  one('reportShares', 'reportShares.create', { password: 'long-enough-1' }),
  one('reportPlans', 'reportPlans.create'),
  one('webhooks', 'webhooks.create', { url: 'https://shop.example/other' }, 'webhook.id'),
  one('shops', 'shops.create', { name: 'My shop' }),
  one('bankFeeds', 'bankFeeds.create', { name: 'Feed' }),
  one('requests', 'requests.make'),
]
