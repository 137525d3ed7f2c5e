import { Validator } from '@seriousme/openapi-schema-validator'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { addDays, dayInJerusalem, weekday } from '#domain/day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { implementations } from '../src/features.ts'
import { companyTables } from '#features/office/demo/server/index.ts'
import { accounts } from '#features/base/ledger/accounts.ts'
import { customers } from '#features/registers/parties/customers.ts'
import { customerAddresses, customerContacts } from '#features/registers/parties/people.ts'
import {
  agents,
  customerFields,
  customerStatuses,
  customerTypes,
  portfolios,
} from '#features/registers/parties/classifications.ts'
import { documents } from '#features/sales/documents/documents.ts'
import { uploadOutside } from '#features/people/outside/endpoints.ts'
import { sendTemplate, uploadTemplate, saveTemplate } from '#features/sales/signing/endpoints.ts'
import { uploadImport } from '#features/registers/imports/endpoints.ts'
import { items } from '#features/registers/items/items.ts'
import { suppliers } from '#features/registers/suppliers/suppliers.ts'
import { withholdingCertificates } from '#features/registers/suppliers/withholdingCertificates.ts'
import { messages } from '#features/office/messages/messages.ts'
import type { Resource } from '#kit/describe/resource.ts'
import { wings, wingTitles } from '#kit/describe/wings.ts'
import { columnOf, type Fields } from '#kit/fields/field.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { chooseAreas } from '#features/base/modules/endpoints.ts'
import { addTerminal } from '#features/money/acquirers/endpoints.ts'
import { createPayment } from '#features/sales/payments/endpoints.ts'
import { signUpCpa } from '#features/partners/practice/endpoints.ts'
import { allRules } from '#kit/describe/session.ts'
import { callAs, newBusiness, newTaxId, raw, startWorld, type Business, type World } from './world.ts'

const englishMenu = JSON.parse(readFileSync('src/kit/web/text/shell.en.json', 'utf8')) as Record<
  string,
  string
>

/** Walks over everything at once: what a single feature's tests would forget. */
let world: World
let a: Business
let b: Business
const ids: Record<string, string> = {}

beforeAll(async () => {
  world = await startWorld()
  ;[a, b] = [await newBusiness(world), await newBusiness(world)]
  // What is off until it is asked for would refuse everybody alike.
  for (const one of [a, b])
    await one.call(chooseAreas, { areas: { pest: true, time: true, affiliates: true } })
  ids.customers = (await a.customer('כהן')).id
  ids.suppliers = (await a.send('POST', '/api4/invoice/suppliers', { name: 'ספק' })).id
  ids.withholdingCertificates = (
    await a.send('POST', '/api4/invoice/withholdingCertificates', {
      supplierId: ids.suppliers,
      fromDay: '2026-01-01',
      toDay: '2026-12-31',
      rateBp: 500,
    })
  ).id
  ids.items = (await a.send('POST', '/api4/invoice/items', { name: 'שעה', price: '100' })).id
  ids.accounts = (await a.get('/api5/invoicecpa/accounts?size=10')).rows[0].id
  const made = async (list: string, values: Record<string, unknown>) =>
    (await a.send('POST', `/api4/invoice/${list}`, values)).id as string
  ids.customerTypes = await made('customerTypes', { name: 'סיטונאי' })
  ids.customerStatuses = await made('customerStatuses', { name: 'פעיל' })
  ids.portfolios = await made('portfolios', { name: 'צפון' })
  ids.customerFields = await made('customerFields', { name: 'אזור', kind: 'text' })
  ids.customerContacts = await made('customerContacts', { partyId: ids.customers, name: 'רות' })
  ids.customerAddresses = await made('customerAddresses', { partyId: ids.customers, city: 'עכו' })
  ids.agents = (await a.get('/api4/invoice/agents')).rows[0].id
  ids.statements = ids.customers!
  ids.reminders = ids.customers!
  ids.categories = await made('categories', { name: 'כלים' })
  const income = (await a.get('/api5/invoicecpa/accounts?size=10&kind=income')).rows[0].id
  ids.incomeKinds = await made('incomeKinds', { name: 'מכירות', accountId: income })
  for (const name of ['cardKinds', 'sortCodes', 'balanceCodes', 'vatCodes', 'vatAccounts', 'movementKinds'])
    ids[name] = (await a.get(`/api5/invoicecpa/${name}?size=10`)).rows[0].id
  ids.vatCodeTerms = (
    await a.send('POST', '/api5/invoicecpa/vatCodeTerms', {
      vatCodeId: ids.vatCodes,
      fromDay: '2027-01-01',
      rateBp: 1900,
    })
  ).id
  ids.entries = (
    await a.send('POST', '/api5/invoicecpa/entries', {
      date: '2026-01-01',
      lines: [
        { accountNumber: '1010', debitAgorot: 100 },
        { accountNumber: '1000', creditAgorot: 100 },
      ],
    })
  ).id
  ids.journal = ids.entries!
  const batch = await a.send('POST', '/api5/invoicecpa/batches', {
    lines: [{ day: '2026-01-01', debitAccountId: ids.accounts, amountAgorot: 100 }],
  })
  ids.batches = batch.id
  ids.journalLines = batch.rows[0].id
  ids.priceLists = await made('priceLists', { name: 'סיטונאי' })
  ids.priceListLines = await made('priceListLines', {
    listId: ids.priceLists,
    itemId: ids.items,
    price: '90',
  })
  ids.customerPrices = await made('customerPrices', {
    customerId: ids.customers,
    itemId: ids.items,
    price: '80',
  })
  ids.prices = ids.customers!
  ids.priceChange = (
    await a.send('POST', '/api4/invoice/itemprices', { ids: [ids.items], change: { sum: '1' } })
  ).id
  ids.projects = await made('projects', { name: 'גג' })
  ids.tasks = await made('tasks', { title: 'משימה', customerId: ids.customers })
  ids.boards = (await a.get('/api4/invoice/boards')).rows[0].id
  ids.workTeams = (await a.send('PUT', '/api4/invoice/workteams', { name: 'צוות', members: [ids.agents] })).id
  ids.interactions = await made('interactions', { customerId: ids.customers, text: 'שיחה' })
  ids.leadKinds = await made('leadKinds', { name: 'התקנה' })
  ids.leadSources = await made('leadSources', { name: 'אתר', channel: 'form' })
  ids.leads = await made('leads', { name: 'פונה', phone: '052-1234567' })
  ids.leadStages = (await a.get('/api4/invoice/leads/stages')).rows[0].id
  const invoice = await a.invoice(ids.customers!, '100')
  ids.documents = invoice.id
  ids.documentJobs = invoice.id
  ids.draft = (
    await a.call(createDocument, {
      type: 8,
      customerId: ids.customers!,
      lines: [{ description: 'x', unitPrice: '1' }],
      draft: true,
    })
  ).id
  await a.send('POST', `/api4/invoice/documents/${invoice.id}/send`, { to: 'x@example.com' })
  ids.messages = (
    await a.get('/api4/invoice/emailreport').catch(() => a.get('/api4/invoice/messages'))
  ).rows[0].id
  ids.permissions = (await a.send('POST', '/api4/invoice/permissions', { name: 'ערכה', rules: [10] })).id
  ids.workers = await made('workers', {
    fullName: 'דנה',
    email: `walk${Date.now()}@example.com`,
    rules: [10],
  })
  ids.accountants = await made('accountants', {
    name: 'רו״ח',
    email: `cpa${Date.now()}@example.com`,
    contents: ['income'],
  })
  ids.letters = (await a.send('POST', '/api4/invoice/letters', { title: 'x', body: 'x' })).id
  ids.letterTemplates = await made('letterTemplates', { name: 'x' })
  ids.outsideDocuments = (
    await a.call(uploadOutside, {
      name: 'x.pdf',
      bytes: readFileSync(new URL('./papers/samples/classic-2.pdf', import.meta.url)),
    })
  ).id
  ids.signTemplates = (
    await a.call(uploadTemplate, {
      name: 'x.pdf',
      bytes: readFileSync(new URL('./papers/samples/classic-2.pdf', import.meta.url)),
    })
  ).id
  await a.call(saveTemplate, {
    id: ids.signTemplates,
    version: 1,
    roles: [{ id: 'r1', name: 'x', order: 1 }],
    fields: [{ id: 's', kind: 'signature', role: 'r1', page: 1, x: 10, y: 10, w: 100, h: 40 }],
  })
  ids.signRequests = (
    await a.call(sendTemplate, {
      id: ids.signTemplates,
      signers: [{ role: 'r1', name: 'x', channel: 'person' }],
    })
  ).id
  ids.signGroups = (await a.send('POST', '/api4/invoice/signing/groups', { name: 'x', people: [] })).id
  ids.views = (await a.send('POST', '/api4/invoice/views/customers', { name: 'שלי', query: {} })).id
  ids.session = (await a.get('/api/user/sessions')).rows[0].id
  const brought = await a.call(uploadImport, {
    resource: 'customers',
    name: 'a.csv',
    check: 'true',
    bytes: Buffer.from('name\nלוי'),
  })
  ids.imports = brought.id
  ids.jobs = brought.jobId!
  const kinds = (await a.get('/api4/invoice/expensetypes?size=100')).rows as {
    id: string
    isFixedAsset: boolean
  }[]
  ids.expensetypes = kinds[0]!.id
  const paid = {
    supplier: { name: 'ספק' },
    means: 'bank',
    lines: [{ typeId: kinds.find((k) => k.isFixedAsset)!.id, netAgorot: 100 }],
  }
  ids.expenses = (await a.send('POST', '/api4/invoice/expenses', paid)).id
  ids.fixedassets = (await a.get('/api4/invoice/fixedassets')).rows[0].id
  const receipt = await a.call(createDocument, {
    type: 6,
    customerId: ids.customers,
    payments: [{ means: 2, amountAgorot: 100, bank: '12', branch: '600', account: '123456', number: '1' }],
  })
  ids.payments = receipt.payments[0]!.id
  world.app.settings.testAcquirer = true
  await a.call(addTerminal, { gateway: 'test' })
  ids.paymentLinks = (
    await a.send('POST', '/api4/invoice/paymentLinks', { description: 'מקדמה', amountAgorot: 1000 })
  ).id
  ids.customerPages = ids.customers!
  ids.deposits = (await a.send('POST', '/api4/invoice/deposits', { payments: [ids.payments] })).id
  const owed = await a.send('POST', '/api4/invoice/expenses', {
    supplier: { name: 'ספק' },
    supplierNumber: '7',
    means: 'onCredit',
    lines: [{ typeId: ids.expensetypes, netAgorot: 100 }],
  })
  const payment = { supplierId: owed.supplierId, means: 'bank', bills: [{ id: owed.id, amountAgorot: 100 }] }
  ids.supplierpayments = (await a.send('POST', '/api4/invoice/supplierpayments', payment)).id
  const supplierId = (await a.get('/api4/invoice/suppliers')).rows[0].id
  const rent = {
    name: 'שכירות',
    supplierId,
    typeId: ids.expensetypes,
    totalAgorot: 100,
    firstDay: '2026-01-01',
  }
  ids.withholdingcodes = (await a.get('/api4/invoice/withholdingcodes')).rows[0].id
  ids.codingrules = await made('codingrules', {
    name: 'כלל',
    contains: 'דלק',
    typeId: ids.expensetypes,
    place: 10,
  })
  ids.recurringexpenses = (await a.send('POST', '/api4/invoice/recurringexpenses', rent)).id
  const put = (path: string, body: unknown) =>
    world.http.inject({
      method: 'PUT',
      url: path,
      headers: { 'x-access-token': a.token },
      payload: body as object,
    })
  await put('/api4/invoice/masav/settings', { institution: '1', sender: '1', code: 'B' })
  await put(`/api4/invoice/masav/mandates/${ids.customers}`, {
    customerId: ids.customers,
    reference: '1',
    since: '2026-01-01',
    ceilingAgorot: null,
  })
  await a.send('PATCH', `/api4/invoice/customers/${ids.customers}`, {
    bankCode: 10,
    bankBranch: '800',
    bankAccount: '55501',
  })
  // Friday and Saturday banks clear nothing.
  const today = dayInJerusalem(new Date())
  const payDay = [0, 1, 2].map((days) => addDays(today, days)).find((day) => ![5, 6].includes(weekday(day)))!
  ids.masav = (await a.send('POST', '/api4/invoice/masav/debits', { payDay, documents: [ids.documents] })).id
})
afterAll(() => world.close())

/** Bodies that pass the schema, so that a refusal can only come from the id. */
const bodies: Record<string, Record<string, unknown>> = {
  'support.answer': { text: 'x' },
  'support.addFile': { name: 'x.txt', bytes: 'x' },
  'support.file': { fileId: crypto.randomUUID() },
  'fileShares.create': { expiresOn: dayInJerusalem(new Date()) },
  'pest.send': { to: 'x@example.com' },
  'pest.remind': { to: 'x@example.com' },
  'practice.seeAll': { all: true },
  'affiliates.set': { state: 'stopped' },
  'affiliates.decide': { counts: true, reason: 'xxx' },
  'time.decide': { approve: true },
  'requests.say': { text: 'x' },
  'requests.end': { as: 'dropped' },
  'masav.return': { line: 1 },
  'masav.undo': { reason: 'x' },
  'priceLists.undoLineChange': { changeId: '00000000-0000-7000-8000-000000000000' },
  'uniform.check': { choices: { sorts: {}, accounts: {} } },
  'paymentLinks.change': { description: 'x' },
  'paymentLinks.send': { to: 'thief@example.com' },
  'paymentLinks.refund': { amountAgorot: 1, reason: 'xx' },
  'cardCharges.refund': { amountAgorot: 1, reason: 'xx' },
  'cardCharges.refundSaid': { refundId: '01a20e94-a490-7219-a9a1-e659e79aafb8', isDone: true },
  'customerPages.send': { to: 'thief@example.com' },
  'donations.notNeeded': { reason: 'xx' },
  'bankaccounts.change': { name: 'x' },
  'bankrules.change': { contains: 'xx' },
  'bankstatements.map': { mapping: [] },
  'bankmatching.bookingFacts': { partyId: '01900000-0000-7000-8000-000000000000', role: 'customer' },
  'papers.file': { expense: { lines: [{ typeId: '0198f000-0000-7000-8000-000000000000', netAgorot: 1 }] } },
  'papers.split': { begins: [2] },
  'imports.read': { reading: {} },
  'imports.check': { mapping: [] },
  'imports.run': { take: 'all' },
  'reminders.pause': { paused: true },
  'documents.change': { type: 8, lines: [{ description: 'x', unitPrice: '1' }] },
  'documents.cancel': { reason: 'x' },
  'documents.credit': { reason: 'x' },
  'documents.convert': { type: 8 },
  'corrections.correct': { reason: 'x' },
  'badDebts.writeOff': { ground: 'other', steps: 'none', vatPaid: true },
  'documents.settle': { documentId: '00000000-0000-4000-8000-000000000000', amountAgorot: 1 },
  'documents.unsettle': { settlementId: '00000000-0000-4000-8000-000000000000' },
  'documents.send': { to: 'thief@example.com' },
  'documents.sms': { to: '050-1234567' },
  'documents.whatsApp': { to: '050-1234567' },
  'documents.markFile': { fileId: '00000000-0000-7000-8000-000000000000', shown: true, mailed: true },
  'letters.change': { title: 'x', body: 'x' },
  'letterTemplates.change': { name: 'x' },
  'outsideDocuments.change': { name: 'x' },
  'signTemplates.change': { name: 'x' },
  'signTemplates.fields': { version: 1, roles: [{ id: 'r1', name: 'x', order: 1 }], fields: [] },
  'signTemplates.open': { isOpen: false },
  'signTemplates.picture': { page: '1' },
  'signTemplates.send': { signers: [{ role: 'r1', name: 'x', channel: 'person' }] },
  'signTemplates.bulk': { rows: [{ name: 'x', channel: 'person' }] },
  'signGroups.people': { name: 'x', people: [] },
  'outsideDocuments.send': { to: 'thief@example.com' },
  'outsideDocuments.sign': { signer: { name: 'x', channel: 'person' } },
  'letters.sign': { signer: { name: 'x', channel: 'person' } },
  'signRequests.document': { signer: { name: 'x', channel: 'person' } },
  'signRequests.consent': { signer: { name: 'x', channel: 'person' } },
  'signRequests.about': { purposes: 'consent' },
  'time.askNotice': { signer: { name: 'x', channel: 'person' } },
  'masav.askMandate': { signer: { name: 'x', channel: 'person' } },
  'entry.askHealth': { signer: { name: 'x', channel: 'person' } },
  'entry.letter': { letterUntil: '2031-01-01' },
  'allocation.notNeeded': { reason: 'xx' },
  'allocation.enter': { number: '123456789' },
  'allocation.decide': { choice: 'continue' },
  'accounts.change': { name: 'x' },
  'accounts.card': { from: '2026-01-01', to: '2026-12-31' },
  'accounts.balance': { day: '2026-12-31' },
  'accounts.lines': { from: '2026-01-01', to: '2026-12-31' },
  'cardKinds.change': { name: 'x' },
  'sortCodes.change': { name: 'x' },
  'balanceCodes.change': { name: 'x' },
  'vatCodes.change': { name: 'x' },
  'vatCodeTerms.change': { rateBp: 2000 },
  'vatAccounts.change': { accountId: null },
  'movementKinds.change': { name: 'x' },
  'journalLines.change': { details: 'x' },
  'customers.change': { name: 'x' },
  'customers.consent': { how: 'paper' },
  'customerTypes.change': { name: 'x' },
  'customerStatuses.change': { name: 'x' },
  'portfolios.change': { name: 'x' },
  'customerFields.change': { name: 'x' },
  'customerContacts.change': { name: 'x' },
  'customerAddresses.change': { city: 'x' },
  'suppliers.change': { name: 'x' },
  'withholdingCertificates.change': { notes: 'x' },
  'items.change': { name: 'x' },
  'workers.change': { job: 'x' },
  'permissions.change': { name: 'x' },
  'permissions.assign': { workers: ['01900000-0000-7000-8000-000000000000'] },
  'accountants.change': { office: 'x' },
  'accountants.send': { month: '2026-01' },
  'items.keepVariants': { attributes: [], variants: [] },
  'items.setPicture': { fileId: '01900000-0000-7000-8000-000000000000' },
  'categories.change': { name: 'x' },
  'incomeKinds.change': { name: 'x' },
  'priceLists.change': { name: 'x' },
  'priceLists.copy': { name: 'x' },
  'priceLists.previewLines': { change: { basisPoints: 100 } },
  'priceLists.changeLines': { change: { basisPoints: 100 } },
  'priceListLines.change': { price: '1' },
  'customerPrices.change': { price: '1' },
  'prices.assignToCustomer': { priceListId: null },
  'prices.assignToType': { priceListId: null },
  'projects.change': { name: 'x' },
  'tasks.change': { title: 'x' },
  'tasks.move': { version: 1, columnId: '01900000-0000-7000-8000-000000000000' },
  'tasks.comment': { text: 'x' },
  'tasks.watch': { people: [] },
  'tasks.addItem': { text: 'x' },
  'tasks.changeItem': { itemId: '01900000-0000-7000-8000-000000000000', done: true },
  'tasks.dropItem': { itemId: '01900000-0000-7000-8000-000000000000' },
  'classes.move': { version: 1, day: '2030-01-01', at: '09:00' },
  'classes.change': { version: 1 },
  'classes.cancel': { version: 1 },
  'classTrainers.setHours': { hours: [[], [], [], [], [], [], []] },
  'passes.freeze': { fromDay: '2030-01-01', toDay: '2030-01-02' },
  'passes.unfreeze': { freezeId: '01900000-0000-7000-8000-000000000000' },
  'passes.fix': { visits: 1, note: 'x' },
  'bookings.mark': { state: 'came' },
  'classGroups.setPeople': { people: [] },
  'classSwaps.answer': { answer: 'accept' },
  'boards.change': { name: 'x', columns: [{ name: 'a' }, { name: 'b', isDone: true }] },
  'interactions.change': { outcome: 'x' },
  'leads.change': { name: 'x' },
  'leads.move': { version: 1, stageId: '01900000-0000-7000-8000-000000000000' },
  'leads.win': { version: 1 },
  'leads.kindFields': { fields: [] },
  'leads.decide': { take: true },
  'leadStages.change': { name: 'x' },
  'leadKinds.change': { name: 'x' },
  'leadSources.change': { name: 'x' },
  'companies.dropView': { list: 'customers' },
  'files.attach': { entity: 'customers', entityId: '00000000-0000-7000-8000-000000000000' },
  'files.detach': { entity: 'customers', entityId: '00000000-0000-7000-8000-000000000000' },
  'companies.changePaper': { kind: 'books', validFrom: '2026-01-01', validTo: '2026-12-31' },
  'expenses.change': { lines: [{ typeId: '01900000-0000-7000-8000-000000000000', netAgorot: 1 }] },
  'expenses.reject': { reason: 'x' },
  'expenses.cancel': { reason: 'x' },
  'expenses.pay': { means: 'bank' },
  'expenses.cancelPayment': { paymentId: '01900000-0000-7000-8000-000000000000' },
  'expensetypes.change': { name: 'x' },
  'recurringexpenses.change': { name: 'x' },
  'recurringexpenses.skip': { day: '2026-01-01', reason: 'x' },
  'recurringexpenses.unskip': { day: '2026-01-01' },
  'fixedassets.change': { name: 'x' },
  'fixedassets.dispose': { how: 'scrapped', date: '2026-01-01' },
  'withholdingcodes.change': { name: 'x' },
  'codingrules.change': { name: 'x' },
  'filings.certificate857': { year: 2026 },
  'vat.setExportEntry': { exportEntry: '1' },
  'vat.markSent': { day: '2026-01-01', confirmation: 'x' },
  'vat.reopen': { reason: 'xxx' },
  'periods.reopen': { reason: 'xxx' },
  'reportPlans.change': {
    report: 'income',
    query: { from: '2026-01-01', to: '2026-12-31' },
    title: 'x',
    every: 'day',
    weekday: 0,
    monthDay: 1,
    daysBefore: 0,
    hour: 8,
    span: 'own',
    formats: ['pdf'],
    condition: null,
    isOn: true,
    people: ['01900000-0000-7000-8000-000000000000'],
  },
  'terminals.move': { by: 'up' },
  'requests.pageAnswer': { key: 'a'.repeat(22), text: 'x' },
  'requests.pagePaper': { key: 'a'.repeat(22), name: 'x.pdf', bytes: Buffer.from('%PDF-1.4') },
  'savedCards.charge': { once: '01900000-0000-7000-8000-000000000000', amountAgorot: 100, description: 'xx' },
  'cardRequests.send': { to: 'x@example.com' },
  'webhooks.delivery': { eventId: '01900000-0000-7000-8000-000000000000' },
  'bankFeeds.change': { on: true },
  'shops.try': { sample: '{}' },
  'shops.send': { order: {} },
  'shops.again': { orderId: '01900000-0000-7000-8000-000000000000' },
  'shops.ignore': { orderId: '01900000-0000-7000-8000-000000000000', note: 'xxx' },
  'reportPlans.stop': { stopped: true },
  'standingOrders.change': {
    title: 'x',
    customerId: '01900000-0000-7000-8000-000000000000',
    documentType: 8,
    startDay: '2026-01-01',
  },
  'standingOrders.changePrices': { fromDay: '2026-01-01', lines: [{ description: 'x', unitPrice: '1' }] },
  'standingOrders.cancel': { when: 'now', reason: 'x' },
  'standingOrders.ask': { channel: 'mail' },
  'standingOrders.decide': { how: 'all' },
  'standingOrders.chargeNow': { start: '2026-01-01' },
  'standingOrders.retry': { start: '2026-01-01' },
  'standingOrders.giveUp': { start: '2026-01-01', how: 'debt' },
  'standingOrders.moveCard': { cardId: '01900000-0000-7000-8000-000000000000' },
  'settlements.take': {
    terminalId: '01900000-0000-7000-8000-000000000000',
    from: '2026-01-01',
    to: '2026-01-02',
  },
  'settlements.explain': { note: 'xxx' },
  'settlements.deny': { reason: 'xxx' },
  'settlements.addDeposit': {
    terminalId: '01900000-0000-7000-8000-000000000000',
    day: '2026-01-01',
    netAgorot: 100,
  },
  'settlements.invoice': {
    terminalId: '01900000-0000-7000-8000-000000000000',
    month: '2026-01',
    number: '1',
    feeAgorot: 1,
    feeVatAgorot: 0,
  },
  'settlements.book': {
    bankAccountId: '01900000-0000-7000-8000-000000000000',
    feeAgorot: 0,
    feeVatAgorot: 0,
  },
  'payPages.create': { kind: 'charge', texts: { he: { title: 'x' } } },
  'payPages.change': { version: 1, content: { kind: 'charge', texts: { he: { title: 'x' } } } },
  'payPages.setPicture': { image: 'x' },
  'cardCharges.dispute': { reason: 'x x' },
  'cardCharges.endDispute': { isWon: true },
  'standingOrders.words': { language: 'he' },
  'standingOrders.keepWords': { letter: 'failed', language: 'he', words: null },
  'billing.modules': { modules: [] },
  'payPages.words': { language: 'he' },
  'payPurchases.capture': { amountAgorot: 1 },
  'payPurchases.file': { fileId: '00000000-0000-4000-8000-000000000000' },
  'coupons.create': { code: 'abc', kind: 'sum', valueAgorot: 100 },
  'coupons.change': { code: 'abc', kind: 'sum', valueAgorot: 100 },
  'coupons.stop': { stopped: true },
  'coupons.makeMany': { kind: 'sum', valueAgorot: 100, name: 'x', count: 1 },
  'references.find': { entity: 'customers' },
  'references.keep': { entity: 'customers' },
  'committee.setRate': { fromMonth: '2026-01', rule: 'equal', agorot: 100 },
  'committee.charge': { from: '2026-01', to: '2026-01' },
  'committee.openingDebt': { flatId: '01900000-0000-7000-8000-000000000000', month: '2026-01', agorot: 1 },
  'committee.pay': { payments: [{ flatId: '01900000-0000-7000-8000-000000000000', agorot: 1, means: 3 }] },
  'committee.cancelPayment': { reason: 'x' },
  'committee.levyShares': { rule: 'equal', agorot: 1, instalments: 1 },
  'committee.levy': {
    name: 'x',
    rule: 'equal',
    agorot: 1,
    instalments: 1,
    firstMonth: '2026-01',
    decidedOn: '2026-01-01',
    votesFor: 1,
  },
  'committee.addExpense': {
    supplier: 'x',
    typeId: '01900000-0000-7000-8000-000000000000',
    agorot: 1,
    day: '2026-01-01',
    means: 'bank',
  },
  'committee.setPage': { on: true },
  'committee.setHandOverPage': { on: true },
  'committee.setReminders': { every: 'week', firstDay: '2026-01-01' },
  'committee.setTenantPage': { customerId: '01900000-0000-7000-8000-000000000000' },
  'committee.order': {
    customerId: '01900000-0000-7000-8000-000000000000',
    agorot: 1,
    startDay: '2026-01-01',
  },
  'bookings.clash': { customerId: '01900000-0000-7000-8000-000000000000' },
  'committee.handOver': { to: 'x', confirmed: true },
  'committeebuildings.change': { name: 'x' },
  'committeeflats.change': { number: 'x' },
  'committeepeople.change': { notes: 'x' },
  'stockCounts.enter': {
    entries: [
      {
        clientId: '01900000-0000-7000-8000-000000000000',
        itemId: '01900000-0000-7000-8000-000000000000',
        quantity: '1',
        countedAt: '2026-01-01T00:00:00Z',
      },
    ],
  },
  'stockCounts.second': { aboveAgorot: 1 },
  'stockCounts.approve': { uncounted: 'leave' },
  'stockCounts.answer': { moveId: '01900000-0000-7000-8000-000000000000', wasCounted: true },
  'stock.adjust': { quantity: '1', reason: 'x' },
  'stock.produce': { quantity: '1' },
  'stock.saveParts': { madeOf: 'none', parts: [] },
  'stock.saveUnits': { units: [] },
  'stockplaces.change': { name: 'x' },
  'law.revoke': { why: 'entered twice' },
  'forecast.changeSum': { name: 'x', agorot: 1, cycle: 'once', firstDay: '2026-01-01' },
}

const idFor = (name: string): string => {
  if (name === 'session.end') return ids.session!
  if (name === 'items.undoPriceChange') return ids.priceChange!
  if (name === 'companies.dropView') return ids.views!
  return ids[name.split('.')[0]!] ?? ids.documents!
}

describe('another business', () => {
  const withId = implementations.filter((i) => i.endpoint.path.includes('{id}')).map((i) => i.endpoint)

  test.each(withId.map((e) => [e.name, e] as const))(
    '%s answers 404 to a stranger’s id',
    async (name, endpoint) => {
      const answer = await raw(world, endpoint, { id: idFor(name), ...bodies[name] }, { token: b.token })
      expect({ name, status: answer.statusCode, body: answer.body.slice(0, 200) }).toMatchObject({
        status: 404,
      })
      expect(answer.headers['content-type']).toContain('application/problem+json')
    },
  )

  test('nor do people of an accountant’s office that it has nothing to do with: its manager, an assistant, an assistant inside a client', async () => {
    const signedUp = await callAs(world, signUpCpa, {
      email: `walk${Date.now()}@example.com`,
      password: 'a long enough password',
      fullName: 'דנה אלון',
      office: { name: 'אלון ושות׳', kind: 'partnership', taxId: newTaxId() },
      termsAccepted: true,
    } as never)
    await callAs(
      world,
      chooseAreas,
      { areas: { pest: true, time: true, affiliates: true } },
      { token: signedUp.UserKey },
    )
    const { companyId: clientId } = await b.get('/api/user/session')
    const person = async (companyId: string, rules: number[]): Promise<string> => {
      const mate = await newBusiness(world)
      await asSystem(world.app.db, async (tx) => {
        await sql`insert into memberships (company_id, user_id, type_id, rules) select ${companyId}, id, 5, ${rules}::int[] from users where email = ${mate.email}`.execute(
          tx,
        )
        await sql`update sessions set company_id = ${companyId} where user_id = (select id from users where email = ${mate.email})`.execute(
          tx,
        )
      })
      return mate.token
    }
    const all = [...allRules().values()]
    const people = {
      manager: signedUp.UserKey,
      assistant: await person(signedUp.CompanyKey, [260]),
      insideAClient: await person(clientId, all),
    }
    const seen: string[] = []
    for (const endpoint of withId)
      for (const [who, token] of Object.entries(people)) {
        const answer = await raw(
          world,
          endpoint,
          { id: idFor(endpoint.name), ...bodies[endpoint.name] },
          { token },
        )
        // A forbidden call says so before it looks for anything.
        const may = who === 'assistant' && answer.statusCode === 403 ? 404 : answer.statusCode
        if (may !== 404)
          seen.push(`${endpoint.name} as ${who}: ${answer.statusCode} ${answer.body.slice(0, 120)}`)
      }
    expect(seen).toEqual([])
  }, 120_000)

  test('cannot use a stranger’s customer, item or account in its own papers', async () => {
    const line = { description: 'x', unitPrice: '1' }
    for (const input of [
      { customerId: ids.customers!, lines: [line] },
      { customer: { name: 'z' }, lines: [{ ...line, itemId: ids.items! }] },
    ]) {
      expect((await raw(world, createDocument, { type: 8, ...input }, { token: b.token })).statusCode).toBe(
        422,
      )
    }
    const paid = { customerId: ids.customers!, payments: [{ means: 3, amountAgorot: 100 }] }
    expect((await raw(world, createPayment, paid, { token: b.token })).statusCode).toBe(422)
    await expect(
      b.send('POST', '/api4/invoice/items', { name: 'x', accountId: ids.accounts }),
    ).rejects.toMatchObject({ status: 422 })
    await expect(
      b.get(`/api4/invoice/reports/customerCard?party=${ids.customers}&from=2026-01-01&to=2026-12-31`),
    ).rejects.toMatchObject({
      status: 404,
    })
    await expect(
      b.get(`/api4/invoice/reports/accountCard?account=${ids.accounts}&from=2026-01-01&to=2026-12-31`),
    ).rejects.toMatchObject({
      status: 404,
    })
  })

  test('sees nothing in lists, and what was a’s is still there', async () => {
    for (const list of ['customers', 'suppliers', 'items', 'documents', 'messages'])
      expect((await b.get(`/api4/invoice/${list}`)).rows, list).toEqual([])
    expect((await a.get('/api4/invoice/customers')).rows).toHaveLength(1)
    expect((await a.get(`/api4/invoice/documents/${ids.documents}`)).status).toBe('issued')
  })
})

describe('rights', () => {
  test.each(implementations.filter((i) => i.inside).map((i) => [i.endpoint.name, i.endpoint] as const))(
    '%s asks who is calling',
    async (_name, endpoint) => {
      const path = Object.fromEntries(
        [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((m) => [m[1]!, ids.documents!]),
      )
      expect((await raw(world, endpoint, path)).statusCode).toBe(401)
      expect((await raw(world, endpoint, path, { token: 'x'.repeat(43) })).statusCode).toBe(401)
    },
  )

  test('a limited worker is refused by every call whose rule he lacks', async () => {
    const limited = await newBusiness(world)
    const me = await limited.get('/api/user/session')
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set rules = '{9999}' where company_id = ${me.companyId}`.execute(tx),
    )
    for (const { endpoint } of implementations.filter((i) => typeof i.endpoint.access === 'object')) {
      const path = Object.fromEntries(
        [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((m) => [m[1]!, ids.documents!]),
      )
      const answer = await raw(world, endpoint, path, { token: limited.token })
      expect({ name: endpoint.name, status: answer.statusCode }).toEqual({ name: endpoint.name, status: 403 })
    }
    expect((await limited.get('/api4/invoice/reports')).rows).toEqual([])
    await expect(
      limited.get('/api4/invoice/reports/trialBalance?from=2026-01-01&to=2026-12-31'),
    ).rejects.toMatchObject({ status: 403 })
  })

  test('HideTotalPrices leaves no figure in any answer', async () => {
    const shop = await newBusiness(world)
    const me = await shop.get('/api/user/session')
    const buyer = await shop.customer('קונה', { creditLimitAgorot: 777_700 })
    const invoice = await shop.invoice(buyer.id, '12345.67')
    await shop.send('POST', '/api4/invoice/items', { name: 'פריט', price: '12345.67', cost: '12345.67' })
    const [kind] = (await shop.get('/api4/invoice/expensetypes?size=10')).rows as { id: string }[]
    const bill = {
      supplier: { name: 'ספק' },
      supplierNumber: '1',
      lines: [{ typeId: kind!.id, netAgorot: 1_234_567, vatAgorot: 222_222 }],
    }
    const expense = await shop.send('POST', '/api4/invoice/expenses', bill)
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set hide_total_prices = true where company_id = ${me.companyId}`.execute(tx),
    )
    const period = 'from=2026-01-01&to=2026-12-31'
    const paths = [
      '/api4/invoice/documents',
      `/api4/invoice/documents/${invoice.id}`,
      `/api4/invoice/documents/${invoice.id}/entries`,
      '/api4/invoice/expenses',
      `/api4/invoice/expenses/${expense.id}`,
      `/api4/invoice/expenses/${expense.id}/entries`,
      '/api4/invoice/expenses/mine',
      '/api4/invoice/expenses/figures',
      `/api4/invoice/expenses/defaults?supplierId=${expense.supplierId}`,
      '/api4/invoice/expensetypes?size=100',
      `/api4/invoice/reports/expenseList?${period}`,
      `/api4/invoice/reports/expensesByTypeMonth?${period}`,
      '/api4/invoice/reports/supplierBalances',
      '/api4/invoiceexport/expenses?format=csv',
      '/api4/invoice/customers',
      `/api4/invoice/customers/${buyer.id}`,
      `/api4/invoice/customers/${buyer.id}/activity`,
      '/api4/invoice/items',
      '/api4/invoice/home',
      '/api5/invoicecpa/accounts',
      `/api4/invoice/reports/trialBalance?${period}`,
      `/api4/invoice/reports/income?${period}`,
      `/api4/invoice/reports/vat?${period}`,
      '/api4/invoice/reports/ageing',
      `/api4/invoice/reports/customerCard?party=${buyer.id}&${period}`,
      '/api4/invoiceexport/customers?format=csv',
      '/api4/invoiceexport/documents?format=csv',
      '/api4/invoiceexport/items?format=csv',
      `/api4/invoiceexport/reports/income.csv?${period}`,
      '/api4/invoice/audit',
    ]
    for (const path of paths) {
      const answer = await world.http.inject({
        method: 'GET',
        url: path,
        headers: { 'x-access-token': shop.token },
      })
      expect({ path, status: answer.statusCode }).toEqual({ path, status: 200 })
      // An id may hold any four digits.
      expect(answer.body.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ''), path).not.toMatch(
        /1234567|12345\.67|1456789|14567\.89|222222|777700|7777/,
      )
    }
    for (const path of [
      `/api4/invoice/documents/${invoice.id}/pdf`,
      `/api4/invoice/documents/${invoice.id}/pictures`,
    ]) {
      expect(
        (await world.http.inject({ method: 'GET', url: path, headers: { 'x-access-token': shop.token } }))
          .statusCode,
        path,
      ).toBe(403)
    }
  })
})

describe('the house', () => {
  test('every table of a business has the wall, and stands on the list of what a demo takes with it', async () => {
    const { rows } = await sql<{
      name: string
      walled: boolean
      owner: string
    }>`select c.relname as name, c.relrowsecurity as walled, pg_get_userbyid(c.relowner) as owner
      from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'company_id' and not t.attisdropped where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`.execute(
      world.app.db.kysely,
    )
    // Sessions are the system's own: the application's role has no rights on them at all.
    expect(rows.filter((r) => !r.walled && r.name !== 'sessions').map((r) => r.name)).toEqual([])
    expect(rows.filter((r) => r.owner === 'pinkas_app')).toEqual([])
    expect([...companyTables].sort()).toEqual(rows.map((r) => r.name).sort())
  })

  test('outside a company the application’s role sees nothing', async () => {
    await world.app.db.kysely.transaction().execute(async (tx) => {
      await sql`select set_config('role', 'pinkas_app', true)`.execute(tx)
      for (const table of ['companies', 'parties', 'documents', 'postings', 'users']) {
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(
          tx,
        )
        expect(rows[0]!.n, table).toBe(0)
      }
    })
  })

  test.each(
    [
      customers,
      customerTypes,
      customerStatuses,
      portfolios,
      customerFields,
      agents,
      customerContacts,
      customerAddresses,
      suppliers,
      withholdingCertificates,
      items,
      accounts,
      messages,
      documents,
    ].map((r) => [r.name, r as Resource<any>] as const),
  )('%s: every described field has its column', async (_name, resource) => {
    const { rows } = await sql<{
      column_name: string
    }>`select column_name from information_schema.columns where table_name = ${resource.table}`.execute(
      world.app.db.kysely,
    )
    const columns = new Set(rows.map((r) => r.column_name))
    const missing = Object.entries(resource.fields as Fields).filter(
      ([name, field]) => !field.computed && !columns.has(columnOf(name, field)),
    )
    expect(missing.map(([name]) => name)).toEqual([])
    for (const name of [
      ...resource.list.columns,
      ...resource.list.filters,
      resource.list.sort[0],
      ...resource.form.flatMap((s) => s.fields),
    ])
      expect(resource.fields, name).toHaveProperty(name)
  })

  test('the OpenAPI document is valid and names every call', async () => {
    const answer = await world.http.inject({ method: 'GET', url: '/api/openapi.json?calls=all' })
    const document = answer.json<{
      paths: Record<string, Record<string, { operationId: string; tags: string[] }>>
    }>()
    const { valid, errors } = await new Validator().validate(document)
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    const named = Object.values(document.paths).flatMap((p) => Object.values(p).map((o) => o.operationId))
    expect(new Set(named).size).toBe(named.length)
    for (const { endpoint } of implementations) expect(named).toContain(endpoint.name)
    // Every tag is in one wing, named as the menu names it.
    const groups = answer.json<{ 'x-tagGroups': { name: string; tags: string[] }[] }>()['x-tagGroups']
    const tags = Object.values(document.paths).flatMap((p) => Object.values(p).flatMap((o) => o.tags))
    expect(groups.flatMap((group) => group.tags).toSorted()).toEqual([...new Set(tags)].toSorted())
    expect(groups.find((group) => group.tags.includes('paymentLinks'))?.name).toBe(englishMenu['menu.money'])
    for (const wing of wings) {
      const inMenu = englishMenu[`menu.${wing}`]
      if (inMenu) expect(wingTitles[wing]).toBe(inMenu)
    }
    for (const path of ['/healthz', '/readyz', '/metrics', '/api/openapi.json', '/static/lang/{lang}.json']) {
      expect(document.paths).toHaveProperty([path, 'get'])
      expect((await world.http.inject({ method: 'GET', url: path.replace('{lang}', 'ar') })).statusCode).toBe(
        200,
      )
    }
  })

  test('answers carry the headers that protect, errors are problems, nothing leaks', async () => {
    const answer = await world.http.inject({
      method: 'GET',
      url: '/api4/invoice/nothing',
      headers: { 'x-access-token': a.token },
    })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'self'.*frame-ancestors 'none'/)
    expect(answer.headers['content-security-policy']).not.toContain('unsafe')
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': expect.any(String),
    })
    const bad = await world.http.inject({
      method: 'POST',
      url: '/api/user/login',
      headers: { 'content-type': 'application/json' },
      payload: '{"email": ',
    })
    expect(bad.statusCode).toBe(400)
    expect(bad.body).not.toMatch(/at .*\.ts|select |\/work\//)
    for (const url of ['/healthz', '/readyz', '/metrics'])
      expect((await world.http.inject({ method: 'GET', url })).statusCode).toBe(200)
  })

  test('figures of the server are for this machine, or for a holder of their token', async () => {
    const asked = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
      (await world.http.inject({ method: 'GET', url: '/metrics', headers, remoteAddress })).statusCode
    expect(await asked({}, '10.1.2.3')).toBe(404)
    // A proxy on this machine forwards requests of others.
    expect(await asked({ 'x-forwarded-for': '10.1.2.3' })).toBe(404)
    world.app.settings.metricsToken = 'a token of the monitor'
    try {
      expect(await asked({})).toBe(404)
      expect(await asked({ authorization: 'Bearer another token of it' })).toBe(404)
      expect(await asked({ authorization: 'Bearer a token of the monitor' }, '10.1.2.3')).toBe(200)
    } finally {
      world.app.settings.metricsToken = undefined
    }
  })

  test('a head that is too long is refused as every other call', async () => {
    await world.http.listen({ port: 0, host: '127.0.0.1' })
    const { port } = world.http.server.address() as { port: number }
    const answer = await fetch(`http://127.0.0.1:${port}/api4/invoice/customers`, {
      headers: { 'x-access-token': 'x'.repeat(40_000) },
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      431,
      'application/problem+json; charset=utf-8',
    ])
    expect(await answer.json()).toMatchObject({ status: 431, code: 'kit.tooLarge' })
  })
})
