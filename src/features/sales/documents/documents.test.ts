import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs, newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { listAudit } from '#features/base/companies/endpoints.ts'
import { asSystem } from '#kit/server/data/db.ts'
import * as calls from './endpoints.ts'
import { registerOnlinePayment } from './server/index.ts'

let world: World
let plumber: Business
let cohen: { id: string }

beforeAll(async () => {
  world = await startWorld()
  plumber = await newBusiness(world)
  cohen = await plumber.customer('יוסי כהן')
})
afterAll(() => world.close())

const line = { description: 'החלפת ברז', quantity: '2', unitPrice: '100.5' }

describe('issuing', () => {
  test('gives the next number, works out the VAT of the day and owes the total', async () => {
    const first = await plumber.invoice(cohen.id, '1000')
    const second = await plumber.invoice(cohen.id, '10.01')
    expect(second.number).toBe(first.number! + 1)
    expect(first).toMatchObject({
      status: 'issued',
      vatRateBp: 1800,
      totals: { netTaxableAgorot: 100_000, vatAgorot: 18_000, totalAgorot: 118_000, openAgorot: 118_000 },
    })
    expect(second.totals).toMatchObject({ netTaxableAgorot: 1001, vatAgorot: 180, totalAgorot: 1181 })
  })

  // example: featureTest
  test('posts the customer, the income and the VAT', async () => {
    const { id } = await plumber.invoice(cohen.id, '500')
    const { rows } = await plumber.call(calls.entriesOfDocument, { id })
    expect(rows.map((r) => [r.number, r.debitAgorot, r.creditAgorot])).toEqual([
      ['1100', 59_000, 0],
      ['4000', 0, 50_000],
      ['2100', 0, 9_000],
    ])
    expect(rows[0]!.party).toBe('יוסי כהן')
  })
  // example end

  test('a draft has no number, changes, and becomes the invoice', async () => {
    const draft = await plumber.call(calls.createDocument, {
      type: 8,
      customerId: cohen.id,
      lines: [line],
      draft: true,
    })
    expect(draft).toMatchObject({ status: 'draft', number: null, urls: { original: '' } })
    const changed = await plumber.call(calls.changeDocument, {
      id: draft.id,
      type: 8,
      customerId: cohen.id,
      subject: 'מטבח',
      lines: [line, line],
    })
    expect(changed.lines).toHaveLength(2)
    const issued = await plumber.call(calls.issueDocument, { id: draft.id })
    expect(issued).toMatchObject({
      id: draft.id,
      status: 'issued',
      subject: 'מטבח',
      totals: { netTaxableAgorot: 40_200 },
    })
    await expect(
      plumber.call(calls.changeDocument, { id: draft.id, type: 8, lines: [line] }),
    ).rejects.toMatchObject({
      status: 409,
      code: 'documents.notDraft',
    })
    await expect(plumber.call(calls.deleteDocument, { id: draft.id })).rejects.toMatchObject({ status: 409 })
  })

  test('wrong input names the field', async () => {
    await expect(
      plumber.call(calls.createDocument, {
        type: 8,
        customerId: cohen.id,
        lines: [{ description: '', quantity: '1.23456', unitPrice: 'x' }],
      }),
    ).rejects.toMatchObject({
      status: 422,
      contentType: expect.stringContaining('application/problem+json'),
      errors: [
        { path: 'lines.0.description', code: 'fields.need' },
        { path: 'lines.0.quantity', code: 'fields.decimal' },
        { path: 'lines.0.unitPrice', code: 'fields.decimal' },
      ],
    })
    await expect(plumber.call(calls.createDocument, { type: 8, lines: [line] })).rejects.toMatchObject({
      errors: [{ path: 'customerId', code: 'documents.noCustomer' }],
    })
    await expect(plumber.invoice(cohen.id, '1', { date: '2999-01-01' })).rejects.toMatchObject({
      errors: [{ path: 'date', code: 'documents.dateInFuture' }],
    })
    await expect(plumber.invoice(cohen.id, '1', { date: '2020-01-01' })).rejects.toMatchObject({
      errors: [{ path: 'date', code: 'documents.dateBeforeLastOfSeries' }],
    })
    await expect(plumber.invoice(cohen.id, '1', { currency: 'USD' })).rejects.toMatchObject({
      errors: [{ path: 'rate', code: 'documents.noRate' }],
    })
    await expect(plumber.invoice(cohen.id, '99999999999999')).rejects.toMatchObject({ status: 422 })
  })

  test('what is done to a draft stands in the log: who, when, what before and after; a sitting is one line, and a save of the same none', async () => {
    const given = { type: 8, customerId: cohen.id, subject: 'מטבח', lines: [line] }
    const { id } = await plumber.call(calls.createDocument, { ...given, draft: true })
    const log = async () =>
      (await plumber.call(listAudit, { entityId: id })).rows.map(({ action, before, after }) => [
        action,
        before,
        after,
      ])
    const change = (more: object) => plumber.call(calls.changeDocument, { id, ...given, ...more } as never)
    /** Rows of the log are never changed, but for a test that does not wait. */
    const aged = (what: string) =>
      asSystem(world.app.db, async (tx) => {
        await sql`alter table audit_log disable trigger audit_frozen`.execute(tx)
        await sql`update audit_log set ${sql.raw(what)} where entity_id = ${id}`.execute(tx)
        await sql`alter table audit_log enable trigger audit_frozen`.execute(tx)
      })
    await change({})
    await aged(`at = at - interval '11 minutes'`)
    await change({})
    expect(await log()).toEqual([
      [
        'documents.makeDraft',
        null,
        expect.objectContaining({
          type: 'taxInvoice',
          customer: 'יוסי כהן',
          subject: 'מטבח',
          lines: [{ description: 'החלפת ברז', quantity: '2', unitPrice: '100.5' }],
          totalAgorot: 23_718,
        }),
      ],
    ])
    await change({ subject: 'מקלחת', lines: [line, { ...line, quantity: '1' }] })
    expect((await log())[0]).toEqual([
      'documents.changeDraft',
      {
        subject: 'מטבח',
        lines: [{ description: 'החלפת ברז', quantity: '2', unitPrice: '100.5' }],
        totalAgorot: 23_718,
      },
      {
        subject: 'מקלחת',
        lines: [
          { description: 'החלפת ברז', quantity: '2', unitPrice: '100.5' },
          { description: 'החלפת ברז', quantity: '1', unitPrice: '100.5' },
        ],
        totalAgorot: 35_577,
      },
    ])
    const [line0] = (await plumber.call(listAudit, { entityId: id })).rows
    expect([line0!.who, line0!.at > '2000']).toEqual(['נועה ורדי', true])
    // Within the same session nothing is logged; the next line covers all since the last one.
    await change({ subject: 'מטבח' })
    expect(await log()).toHaveLength(2)
    await aged(`at = at - interval '11 minutes'`)
    await change({ subject: 'מרפסת' })
    expect((await log())[0]).toEqual([
      'documents.changeDraft',
      expect.objectContaining({ subject: 'מקלחת', totalAgorot: 35_577 }),
      expect.objectContaining({ subject: 'מרפסת', totalAgorot: 23_718 }),
    ])
    // A change by another person is logged at once, with the state before it.
    await change({ subject: 'גג' })
    await aged('user_id = null')
    await change({ subject: 'חצר' })
    expect((await log())[0]).toEqual(['documents.changeDraft', { subject: 'גג' }, { subject: 'חצר' }])
    expect((await plumber.call(calls.historyOfDocument, { id })).rows.map(({ action }) => action)).toEqual([
      'documents.makeDraft',
      'documents.changeDraft',
      'documents.changeDraft',
      'documents.changeDraft',
    ])
    await plumber.call(calls.deleteDocument, { id })
    expect((await log())[0]).toEqual([
      'documents.deleteDraft',
      expect.objectContaining({ subject: 'חצר', totalAgorot: 23_718 }),
      null,
    ])
  })

  test('an exempt dealer issues no tax invoice', async () => {
    const maya = await newBusiness(world, { kind: 'exemptDealer' })
    const pupil = await maya.customer('משפחת ברק')
    await expect(maya.invoice(pupil.id, '160')).rejects.toMatchObject({
      status: 422,
      code: 'documents.kindMayNotIssue',
    })
  })

  test('a customer typed in the document is kept as a customer', async () => {
    const made = await plumber.call(calls.createDocument, {
      type: 8,
      customer: { name: 'לקוחה חדשה', city: 'עכו' },
      lines: [line],
    })
    expect(made.customer!.name).toBe('לקוחה חדשה')
    expect(await plumber.get(`/api4/invoice/customers/${made.customerId}`)).toMatchObject({
      name: 'לקוחה חדשה',
      city: 'עכו',
      balanceAgorot: made.totals.totalAgorot,
    })
  })

  test('a document in euro stands in the books in shekels', async () => {
    const abroad = await plumber.customer('Nordlicht', { zeroRate: true })
    const made = await plumber.call(calls.createDocument, {
      type: 8,
      customerId: abroad.id,
      currency: 'EUR',
      rate: '3.905',
      lines: [{ description: 'Service', unitPrice: '100.10' }],
    })
    expect(made.totals).toMatchObject({
      netZeroAgorot: 10_010,
      vatAgorot: 0,
      totalAgorot: 10_010,
      ilsTotalAgorot: 39_089,
    })
    const { rows } = await plumber.call(calls.entriesOfDocument, { id: made.id })
    expect(rows.map((r) => [r.number, r.debitAgorot - r.creditAgorot])).toEqual([
      ['1100', 39_089],
      ['4020', -39_089],
    ])
  })
})

describe('what is issued', () => {
  test('is never changed or removed, not even by the application’s role', async () => {
    const { id } = await plumber.invoice(cohen.id, '77')
    const tryTo = (statement: string) =>
      world.app.db.kysely.transaction().execute(async (tx) => {
        const { rows } = await sql<{
          company_id: string
        }>`select company_id from documents where id = ${id}`.execute(tx)
        await sql`select set_config('role', 'pinkas_app', true),
            set_config('pinkas.company', ${rows[0]!.company_id}, true)`.execute(tx)
        await sql.raw(statement.replaceAll('$id', `'${id}'`)).execute(tx)
      })
    for (const statement of [
      'update documents set total_agorot = 1 where id = $id',
      "update documents set customer = '{}' where id = $id",
      'update documents set number = 999999 where id = $id',
      "update documents set status = 'draft', number = null where id = $id",
      'delete from documents where id = $id',
      'update document_lines set unit_price = 1 where document_id = $id',
      'delete from document_lines where document_id = $id',
      'delete from postings where entry_id in (select id from entries where document_id = $id)',
      'update entries set day = current_date - 1 where document_id = $id',
    ]) {
      await expect(tryTo(statement), statement).rejects.toThrow(
        /never|given by issuing|permission denied|not changed/,
      )
    }
  })

  test('is cancelled by its whole credit, once', async () => {
    const invoice = await plumber.invoice(cohen.id, '250')
    const credit = await plumber.call(calls.cancelDocument, { id: invoice.id, reason: 'לקוח שגוי' })
    expect(credit).toMatchObject({
      type: 10,
      status: 'closed',
      reason: 'לקוח שגוי',
      source: { id: invoice.id },
      totals: { totalAgorot: 29_500, openAgorot: 0 },
    })
    expect(await plumber.call(calls.getDocument, { id: invoice.id })).toMatchObject({
      status: 'cancelled',
      cancelledBy: { id: credit.id },
      totals: { openAgorot: 0 },
    })
    const { rows } = await plumber.call(calls.entriesOfDocument, { id: credit.id })
    expect(rows.map((r) => [r.number, r.debitAgorot - r.creditAgorot])).toEqual([
      ['1100', -29_500],
      ['4000', 25_000],
      ['2100', 4_500],
    ])
    await expect(plumber.call(calls.cancelDocument, { id: invoice.id, reason: 'שוב' })).rejects.toMatchObject(
      {
        status: 409,
        code: 'documents.alreadyCancelled',
      },
    )
  })

  test('keeps the names of its day', async () => {
    const dana = await plumber.customer('דנה לוי')
    const invoice = await plumber.invoice(dana.id, '10')
    await plumber.send('PATCH', `/api4/invoice/customers/${dana.id}`, { name: 'דנה לוי־ברק' })
    expect((await plumber.call(calls.getDocument, { id: invoice.id })).customer!.name).toBe('דנה לוי')
  })
})

describe('one key, one document', () => {
  test('a repeat gets the first answer, another body is refused', async () => {
    const body = { type: 8, customerId: cohen.id, lines: [line] }
    const first = await plumber.call(calls.createDocument, body, { key: 'same' })
    const again = await plumber.call(calls.createDocument, body, { key: 'same' })
    expect(again).toEqual(first)
    await expect(
      plumber.call(calls.createDocument, { ...body, subject: 'x' }, { key: 'same' }),
    ).rejects.toMatchObject({
      status: 422,
      code: 'kit.keyReused',
    })
  })

  test('twenty at once make one', async () => {
    const body = { type: 8, customerId: cohen.id, subject: 'twenty', lines: [line] }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        raw(world, calls.createDocument, body, { token: plumber.token, key: 'twenty' }),
      ),
    )
    expect(answers.filter((a) => ![201, 409].includes(a.statusCode))).toEqual([])
    expect(
      new Set(
        answers.filter((a) => a.statusCode === 201).map((a) => (JSON.parse(a.body) as { id: string }).id),
      ).size,
    ).toBe(1)
    const { rows } = await plumber.get('/api4/invoice/documents?subject=twenty')
    expect(rows).toHaveLength(1)
  })
})

describe('numbers under load', () => {
  test('sixteen clients at once leave no gap and no double, and the books balance', async () => {
    const shop = await newBusiness(world)
    const buyer = await shop.customer('קונה')
    const numbers: number[] = []
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let i = 0; i < 5; i++) numbers.push((await shop.invoice(buyer.id, '100')).number!)
      }),
    )
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, i) => i + 1))
    const balance = await shop.get('/api4/invoice/reports/trialBalance?from=2020-01-01&to=2030-12-31')
    expect(balance.totals).toMatchObject({
      debitAgorot: 80 * 11_800,
      creditAgorot: 80 * 11_800,
      balanceAgorot: 0,
    })
    expect(balance.checks.every((c: { ok: boolean }) => c.ok)).toBe(true)
  })
})

describe('the paper', () => {
  test('is sealed once and the same for ever; a copy is another file', async () => {
    const { id } = await plumber.invoice(cohen.id, '90')
    const original = (await plumber.call(calls.pdfOfDocument, { id, variant: 'original' })) as Buffer
    expect(original.subarray(0, 5).toString()).toBe('%PDF-')
    expect(original.includes('ETSI.CAdES.detached')).toBe(true)
    expect(
      ((await plumber.call(calls.pdfOfDocument, { id, variant: 'original' })) as Buffer).equals(original),
    ).toBe(true)
    expect(
      ((await plumber.call(calls.pdfOfDocument, { id, variant: 'copy' })) as Buffer).equals(original),
    ).toBe(false)
  })

  test('a draft has none, but a picture of itself', async () => {
    const { id } = await plumber.call(calls.createDocument, {
      type: 8,
      customerId: cohen.id,
      lines: [line],
      draft: true,
    })
    await expect(plumber.call(calls.pdfOfDocument, { id })).rejects.toMatchObject({
      status: 409,
      code: 'documents.stillDraft',
    })
    // What it would be is looked at all the same.
    expect((await plumber.call(calls.picturesOfDocument, { id })).pages).toMatchObject([
      expect.stringContaining('<svg'),
    ])
  })

  test('emoji and invisible characters never stop an invoice', async () => {
    const made = await plumber.call(calls.createDocument, {
      type: 8,
      customer: { name: '🙂 דנה \u0007' },
      lines: [{ description: '=1+1 <b>*_#$ 🚰', unitPrice: '1' }],
    })
    expect(
      ((await plumber.call(calls.pdfOfDocument, { id: made.id, variant: 'original' })) as Buffer).length,
    ).toBeGreaterThan(1000)
  })
})

describe('sending', () => {
  test('the letter is kept when there is no mail server, and the customer opens his page', async () => {
    const invoice = await plumber.invoice(cohen.id, '120')
    const { messageId } = await plumber.call(calls.sendDocument, { id: invoice.id, to: 'yossi@example.com' })
    await world.worker.drain()
    const { messages } = await plumber.call(calls.historyOfDocument, { id: invoice.id })
    expect(messages).toMatchObject([
      { id: messageId, state: 'kept', recipient: 'yossi@example.com', openedAt: null },
    ])
    const key = invoice.urls.page.split('/').at(-1)!
    expect(key.length).toBeGreaterThanOrEqual(22)
    const page = await callAs(world, calls.pageOfDocument, { key })
    expect(page).toMatchObject({ number: invoice.number, totalAgorot: 14_160, customer: 'יוסי כהן' })
    expect(
      (await plumber.call(calls.historyOfDocument, { id: invoice.id })).messages[0]!.openedAt,
    ).not.toBeNull()
    await expect(callAs(world, calls.pageOfDocument, { key: 'x'.repeat(43) })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('a request for money tells its customer what to pay and by when, until it is paid', async () => {
    const request = await plumber.call(calls.createDocument, {
      type: 5,
      customerId: cohen.id,
      dueTerms: 'eom:30',
      lines: [{ description: 'מקדמה', unitPrice: '1000' }],
    })
    const key = request.urls.page.split('/').at(-1)!
    const page = () => callAs(world, calls.pageOfDocument, { key })
    expect(await page()).toMatchObject({
      totalAgorot: 118_000,
      openAgorot: 118_000,
      dueDate: expect.stringMatching(/^\d{4}-/),
    })
    await plumber.call(calls.createDocument, {
      type: 9,
      customerId: cohen.id,
      lines: [{ description: 'מקדמה', unitPrice: '1000' }],
      payments: [{ means: 3, amountAgorot: 118_000 }],
      closes: [{ documentId: request.id, amountAgorot: 118_000 }],
    })
    expect(await page()).toMatchObject({ openAgorot: 0 })
  })

  test('the customer sees what was paid, receipt by receipt, each with its page', async () => {
    const invoice = await plumber.invoice(cohen.id, '1000')
    const key = invoice.urls.page.split('/').at(-1)!
    const page = () => callAs(world, calls.pageOfDocument, { key })
    const pay = (amountAgorot: number) =>
      plumber.call(calls.createDocument, {
        type: 6,
        customerId: cohen.id,
        payments: [{ means: 1, amountAgorot }],
        closes: [{ documentId: invoice.id, amountAgorot }],
      })
    expect(await page()).toMatchObject({ receipts: [], openAgorot: 118_000 })
    const first = await pay(18_000)
    const second = await pay(100_000)
    const { receipts, openAgorot } = await page()
    expect(openAgorot).toBe(0)
    expect(receipts.map(({ number, agorot }) => [number, agorot])).toEqual([
      [first.number, 18_000],
      [second.number, 100_000],
    ])
    expect(await callAs(world, calls.pageOfDocument, { key: receipts[0]!.key })).toMatchObject({
      type: 6,
      number: first.number,
    })
    // A receipt that was cancelled paid nothing.
    await plumber.call(calls.cancelDocument, { id: second.id, reason: 'טעות' })
    expect(await page()).toMatchObject({ openAgorot: 100_000, receipts: [{ number: first.number }] })
  })

  test('the picture on the page is the one made with the sealed file, whatever the business changes later', async () => {
    const invoice = await plumber.invoice(cohen.id, '77')
    const key = invoice.urls.page.split('/').at(-1)!
    await plumber.call(calls.pdfOfDocument, { id: invoice.id, variant: 'original' })
    const before = (await callAs(world, calls.pageOfDocument, { key })).pages
    expect(before[0]).toContain('<svg')
    let isOnline = true
    registerOnlinePayment(() => Promise.resolve(isOnline))
    try {
      expect((await callAs(world, calls.pageOfDocument, { key })).pages).toEqual(before)
      expect((await plumber.call(calls.picturesOfDocument, { id: invoice.id })).pages).toEqual(before)
    } finally {
      isOnline = false
    }
  })
})

describe('branches and other people’s numbers', () => {
  test('a branch is known from its first issued paper on', async () => {
    const names = async () => (await plumber.call(calls.branchNames, {})).names
    expect(await names()).toEqual([])
    const invoice = { type: 8, customerId: cohen.id, branch: 'חיפה', lines: [line] }
    await plumber.call(calls.createDocument, { ...invoice, draft: true })
    expect(await names()).toEqual([])
    expect((await plumber.call(calls.createDocument, invoice)).number).toBe(1)
    expect(await names()).toEqual(['חיפה'])
  })

  test('the list finds a paper by the customer’s order and by the authority’s number', async () => {
    const invoice = await plumber.call(calls.createDocument, {
      type: 8,
      customerId: cohen.id,
      orderNumber: 'PO-778',
      lines: [line],
    })
    const found = async (q: string) =>
      (
        await plumber.get<{ rows: { id: string }[] }>(`/api4/invoice/documents?q=${encodeURIComponent(q)}`)
      ).rows.map(({ id }) => id)
    expect(await found('PO-778')).toEqual([invoice.id])
    await world.app.db.pool.query(
      `update documents set allocation_number = '20261122000000000123456789', allocation_state = 'manual' where id = $1`,
      [invoice.id],
    )
    expect(await found('123456789')).toEqual([invoice.id])
  })
})

describe('where the goods go', () => {
  const haifa = {
    name: 'מחסן צפון',
    street: 'דרך העצמאות 40',
    city: 'חיפה',
    zip: '3303405',
    country: '',
    contact: 'רון',
    phone: '',
    notes: '',
  }
  const quote = (customerId: string, more = {}) =>
    plumber.call(calls.createDocument, { type: 1, customerId, lines: [line], ...more })
  const place = (customerId: string, values: Record<string, unknown>) =>
    plumber.send<{ id: string }>('POST', '/api4/invoice/customerAddresses', {
      partyId: customerId,
      ...values,
    })

  test('the only place for deliveries stands on orders and delivery notes unasked, is frozen with them and goes along to the invoice', async () => {
    const { id } = await plumber.customer('בונים בצפון', { street: 'הרצל 1', city: 'תל אביב' })
    const address = await place(id, { kind: 'delivery', ...haifa, country: null, phone: null, notes: null })
    await place(id, { kind: 'billing', street: 'הרצל 1', city: 'תל אביב' })
    expect((await quote(id)).deliverTo).toBeNull()
    const order = await plumber.call(calls.createDocument, { type: 2, customerId: id, lines: [line] })
    expect(order.deliverTo).toEqual(haifa)

    await plumber.send('PATCH', `/api4/invoice/customerAddresses/${address.id}`, { city: 'עכו' })
    expect((await plumber.call(calls.getDocument, { id: order.id })).deliverTo).toEqual(haifa)
    const note = await plumber.call(calls.convertDocument, { id: order.id, type: 3 })
    expect(note.deliverTo).toEqual(haifa)
    const issued = await plumber.call(calls.issueDocument, { id: note.id })
    const invoice = await plumber.call(calls.convertDocument, { id: issued.id, type: 8 })
    expect(invoice.deliverTo).toEqual(haifa)
    const paper = (await plumber.call(calls.picturesOfDocument, { id: invoice.id })).pages.join('')
    expect(paper.length).toBeGreaterThan(1000)
    // What is issued never changes, neither here.
    await expect(
      world.app.db.pool.query(`update documents set deliver_to = '{}' where id = $1`, [issued.id]),
    ).rejects.toThrow(/never changed/)
  })

  test('of several places a person chooses; what he takes away stays away', async () => {
    const { id } = await plumber.customer('שני מחסנים')
    const north = await place(id, { kind: 'delivery', city: 'חיפה' })
    await place(id, { kind: 'delivery', city: 'אילת' })
    const site = await place(id, { kind: 'site', city: 'ערד' })
    const order = (more: Record<string, unknown>) =>
      plumber.call(calls.createDocument, { type: 2, customerId: id, lines: [line], draft: true, ...more })
    expect((await order({})).deliverTo).toBeNull()
    expect((await order({ deliverTo: { addressId: north.id } })).deliverTo).toMatchObject({
      city: 'חיפה',
      street: '',
    })
    expect((await order({ deliverTo: { addressId: site.id } })).deliverTo).toMatchObject({ city: 'ערד' })
    expect((await order({ deliverTo: { city: '  לוד ', street: ' ' } })).deliverTo).toMatchObject({
      city: 'לוד',
      street: '',
    })
    expect((await order({ deliverTo: { city: ' ' } })).deliverTo).toBeNull()
    await expect(
      plumber.call(calls.createDocument, {
        type: 2,
        customerId: cohen.id,
        lines: [line],
        deliverTo: { addressId: north.id },
      }),
    ).rejects.toMatchObject({ code: 'kit.badInput', errors: [{ path: 'deliverTo', code: 'fields.ref' }] })

    const { id: single } = await plumber.customer('מחסן אחד')
    await place(single, { kind: 'delivery', city: 'צפת' })
    const draft = await plumber.call(calls.createDocument, {
      type: 3,
      customerId: single,
      lines: [line],
      draft: true,
      deliverTo: null,
    })
    expect((await plumber.call(calls.issueDocument, { id: draft.id })).deliverTo).toBeNull()
    // A paper that goes without goods has no place for it.
    expect(
      (
        await plumber.call(calls.createDocument, {
          type: 6,
          customerId: single,
          payments: [{ means: 1, amountAgorot: 100 }],
          deliverTo: haifa,
        })
      ).deliverTo,
    ).toBeNull()
  })

  test('where the goods went stands in the list’s files, and in those of everything', async () => {
    const { id } = await plumber.customer('משלוח בקובץ')
    await plumber.call(calls.createDocument, {
      type: 3,
      customerId: id,
      lines: [line],
      deliverTo: { name: 'מחסן', city: 'יבנה', zip: '81500' },
    })
    const file = (
      await plumber.get<Buffer>(
        `/api4/invoiceexport/documents?format=csv&customerId=${id}&columns=number,deliverTo`,
      )
    ).toString()
    expect(file).toContain('סוג מסמך,מספר,כתובת למשלוח')
    expect(file).toContain('\r\nתעודת משלוח,')
    expect(file).toContain('"מחסן, יבנה 81500"')
    const rows = await plumber.get(`/api4/invoice/documents?customerId=${id}`)
    expect(rows.rows[0].deliverTo).toBe('מחסן, יבנה 81500')
  })

  test('papers for two places make an invoice without one, papers for the same keep it', async () => {
    const { id } = await plumber.customer('כמה אתרים')
    const note = (city: string) =>
      plumber.call(calls.createDocument, { type: 3, customerId: id, lines: [line], deliverTo: { city } })
    const [a, b, c] = [await note('חיפה'), await note('חיפה'), await note('אילת')]
    expect(
      (await plumber.call(calls.convertDocument, { id: a.id, type: 8, with: [c.id] })).deliverTo,
    ).toBeNull()
    expect(
      (await plumber.call(calls.convertDocument, { id: a.id, type: 8, with: [b.id] })).deliverTo,
    ).toMatchObject({ city: 'חיפה' })
  })
})
