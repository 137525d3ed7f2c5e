import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newBusiness, newTaxId, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { allRules } from '#kit/describe/session.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { startWorker } from '#kit/server/work/jobs.ts'
import { checkExpense } from '#features/purchases/expenses/endpoints.ts'
import { createDocument, getDocument, pagePdf } from '#features/sales/documents/endpoints.ts'
import { loadDocument } from '#features/sales/documents/server/index.ts'
import { getJob } from '#features/base/jobs/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { allocationFrom } from '#features/registers/rates/endpoints.ts'
import * as calls from './endpoints.ts'
import { ask } from './server/ask.ts'
import { accessToken } from './server/link.ts'
import { minimumIn } from './server/realAuthority.ts'
import { requestOf } from './server/request.ts'
import { simulated } from './server/simulator.ts'
import { askThreshold } from './server/threshold.ts'
import { jobs } from './server/index.ts'

let world: World
let shop: Business
let companyId: string
let garage: { id: string }

beforeAll(async () => {
  world = await startWorld()
  world.app.settings.taxAuthority.mode = 'simulator'
  simulated.latencyMs = 0
})
afterAll(() => world.close())
beforeEach(async () => {
  Object.assign(simulated, { faults: [], outage: false, calls: [], minimum: undefined })
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  garage = await shop.customer('מוסך דרום', { taxId: newTaxId(), isDealer: true })
})

const connectUp = async (business = shop) => {
  const { url } = await business.call(calls.connect, {})
  const { searchParams: sent } = new URL(url)
  return business.call(calls.returned, { code: sent.get('code')!, state: sent.get('state')! })
}
const standing = async (id: string) => {
  const { allocationState, allocationNumber } = await shop.call(getDocument, { id })
  return { state: allocationState, number: allocationNumber }
}
const work = () => world.worker.drain()
/** Time passes: what is planned for later is due. */
const later = async () => {
  await asSystem(world.app.db, async (tx) => {
    await sql`update outbox set run_after = now() where company_id = ${companyId} and done_at is null
        and failed_at is null and name like 'allocation.%'`.execute(tx)
    await sql`update allocation_requests set next_at = now() where company_id = ${companyId}
        and next_at is not null`.execute(tx)
    await sql`update authority_links set away_until = now() where company_id = ${companyId}
        and away_until is not null`.execute(tx)
  })
  await work()
}
/** The text of a paper, without the marks of direction. */
function textOf(pdf: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'refused-'))
  writeFileSync(join(folder, 'paper.pdf'), pdf)
  const text = execFileSync('pdftotext', ['-layout', join(folder, 'paper.pdf'), '-']).toString()
  rmSync(folder, { recursive: true })
  return text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
}
const asked = () => simulated.calls.filter((c) => c.call === 'ask')
const inside = <T>(deed: Parameters<typeof asCaller<T>>[3]) =>
  asCaller(world.app, systemCaller(companyId), '', deed)
const row = async (id: string) => (await shop.call(calls.listMissing, {})).rows.find((r) => r.id === id)

describe('the number', () => {
  test('comes behind the commit and stands on the page, on a fresh copy, and not on the original that was given out', async () => {
    await connectUp()
    const { id, urls } = await shop.invoice(garage.id, '8000')
    expect(await standing(id)).toEqual({ state: 'waiting', number: null })
    const pdf = async (variant: string) =>
      Buffer.from(await shop.get(`/api4/invoice/documents/${id}/pdf?variant=${variant}`))
    const [original, copy] = [await pdf('original'), await pdf('copy')]
    await work()
    const { state, number } = await standing(id)
    expect(state).toBe('granted')
    expect(number).toMatch(/^[1-9]\d{8}$/)
    expect((await pdf('original')).equals(original)).toBe(true)
    expect((await pdf('copy')).equals(copy)).toBe(false)
    // The customer does not get the paper that lacks it.
    const given = Buffer.from(
      (await shop.call(pagePdf, { key: urls.page!.split('/').at(-1)! })) as unknown as Uint8Array,
    )
    expect(given.equals(original)).toBe(false)
    expect(given.equals(await pdf('certified'))).toBe(true)
    expect((await shop.call(calls.listMissing, {})).rows).toEqual([])
  })

  test('is not asked for where the law does not: at the threshold, to a private person, on a credit', async () => {
    await connectUp()
    const home = await shop.customer('נועה')
    for (const { id } of [
      await shop.invoice(garage.id, '5000'),
      await shop.invoice(home.id, '50000'),
      await shop.invoice(garage.id, '6000', { type: 5 }),
    ])
      expect((await standing(id)).state).toBe('notNeeded')
    await work()
    expect(asked()).toEqual([])
  })

  // Shekels taxed and without VAT on one invoice, and whether it needs a number: the same for one that goes
  // out and one that came.
  test.each([
    [5_000, 0, false],
    [5_001, 0, true],
    [4_000, 1_000, false],
    [4_000, 1_001, true],
    [1, 5_000, true],
    [0, 9_000, false],
  ])(
    'an invoice of %d with VAT and %d without is measured whole, out and in: %s',
    async (taxed, free, needed) => {
      await connectUp()
      const line = (sum: number, more = {}) =>
        sum ? [{ description: 'עבודה', quantity: '1', unitPrice: String(sum), ...more }] : []
      const sold = await shop.invoice(garage.id, '0', {
        lines: [...line(taxed), ...line(free, { vatKind: 4 })],
      })
      const kind = (
        (await shop.get('/api4/invoice/expensetypes?size=100')).rows as { id: string; vatShare: string }[]
      ).find((one) => one.vatShare === 'full')!
      const supplier = await shop.send('POST', '/api4/invoice/suppliers', { name: 'ספק', taxId: newTaxId() })
      const bought = (sum: number, vatAgorot: number) =>
        sum ? [{ typeId: kind.id, netAgorot: sum * 100, vatAgorot }] : []
      const { warnings } = await shop.call(checkExpense, {
        supplierId: supplier.id,
        supplierNumber: '77',
        date: (await shop.call(getDocument, { id: sold.id })).date,
        means: 'onCredit',
        lines: [...bought(taxed, taxed * 18), ...bought(free, 0)],
      } as never)
      expect(warnings.some(({ code }) => code === 'expenses.vatAtRisk')).toBe(needed)
      if (needed) expect((await row(sold.id))?.netAgorot).toBe((taxed + free) * 100)
      await work()
      expect((await standing(sold.id)).state).toBe(needed ? 'granted' : 'notNeeded')
    },
  )

  test('the authority is told the invoice whole, each line with its rate, without what is held in trust', async () => {
    await connectUp()
    const { id } = await shop.invoice(garage.id, '0', {
      lines: [
        { description: 'עבודה', quantity: '1', unitPrice: '4000' },
        { description: 'אגרה', quantity: '1', unitPrice: '2000', vatKind: 4 },
        { description: 'פיקדון', quantity: '1', unitPrice: '900', vatKind: 3 },
      ],
    })
    const request = await inside(async (ctx) => requestOf(ctx, await loadDocument(ctx, id), 'key', null))
    expect(request).toMatchObject({
      amount_before_discount: 6000,
      payment_amount: 6000,
      vat_amount: 720,
      payment_amount_including_vat: 6720,
    })
    expect(request.items.map((one) => [one.total_amount, one.vat_rate, one.vat_amount])).toEqual([
      [4000, 18, 720],
      [2000, 0, 0],
    ])
    expect((await row(id))?.netAgorot).toBe(600_000)
  })

  test('comes for one who turned out to be a dealer; what has one, or no VAT to deduct, may not want it', async () => {
    await connectUp()
    const home = await shop.customer('נועה')
    const small = await shop.invoice(home.id, '50000')
    const request = await shop.invoice(garage.id, '6000', { type: 5 })
    await shop.call(calls.wantNumber, { id: small.id })
    await work()
    expect((await standing(small.id)).state).toBe('granted')
    for (const { id } of [small, request])
      await expect(shop.call(calls.wantNumber, { id })).rejects.toMatchObject({
        code: 'allocation.notWanted',
      })
    const unlucky = await shop.invoice(home.id, '60000')
    await shop.call(calls.wantNumber, { id: unlucky.id })
    await shop.call(calls.enterNumber, { id: unlucky.id, number: '246813579' })
    expect(await standing(unlucky.id)).toEqual({ state: 'manual', number: '246813579' })
  })

  test('waits without a connection and is asked for when there is one', async () => {
    const { id } = await shop.invoice(garage.id, '8000')
    await work()
    expect(await row(id)).toMatchObject({
      state: 'waiting',
      reason: 'notConnected',
      tries: 0,
      netAgorot: 800_000,
    })
    await expect(shop.call(calls.askNow, { id })).rejects.toMatchObject({ code: 'allocation.notConnected' })
    await connectUp()
    await work()
    expect((await standing(id)).state).toBe('granted')
  })

  test('is one number however often it is asked: a crash after the answer, the job twice, two processes', async () => {
    await connectUp()
    const { id } = await shop.invoice(garage.id, '8000')
    // Killed between the answer and the commit.
    let first: string | null | undefined
    await inside(async (ctx) => {
      first = (await ask(ctx, id))?.number
      throw new Error('killed')
    }).catch(() => {})
    expect(first).toMatch(/^\d{9}$/)
    expect((await standing(id)).state).toBe('waiting')
    const other = startWorker(world.app, jobs, {}, { poll: false })
    await inside((ctx) => ctx.later('allocation.ask', { documentId: id }))
    await Promise.all([
      world.worker.drain(),
      other.drain(),
      inside((ctx) => ask(ctx, id)),
      inside((ctx) => ask(ctx, id)),
    ])
    await other.stop()
    expect(await standing(id)).toEqual({ state: 'granted', number: first })
    expect(new Set(asked().map((c) => c.key)).size).toBe(1)
    const times = asked().length
    await inside((ctx) => ctx.later('allocation.ask', { documentId: id }))
    await work()
    expect(asked().length).toBe(times)
  })

  test('of a cancelled invoice is not asked for', async () => {
    const { id } = await shop.invoice(garage.id, '8000')
    await shop.send('POST', `/api4/invoice/documents/${id}/cancel`, { reason: 'טעות' })
    await connectUp()
    await work()
    expect((await standing(id)).state).toBe('notNeeded')
    expect(asked()).toEqual([])
  })
})

describe('an authority that is away', () => {
  test('is tried again with growing pauses, one call for all; when it is back everything is asked', async () => {
    await connectUp()
    simulated.outage = true
    const ids = [(await shop.invoice(garage.id, '8000')).id, (await shop.invoice(garage.id, '9000')).id]
    await work()
    expect(asked().length).toBe(1)
    for (const id of ids) expect((await standing(id)).state).toBe('away')
    const pause = async () =>
      (
        await sql<{
          s: number
        }>`select extract(epoch from away_until - now())::int as s from authority_links
          where company_id = ${companyId}`.execute(world.app.db.kysely)
      ).rows[0]!.s
    const first = await pause()
    await later()
    expect(asked().length).toBe(2)
    expect(await pause()).toBeGreaterThan(first * 1.5)
    simulated.outage = false
    await later()
    for (const id of ids) expect((await standing(id)).state).toBe('granted')
    expect((await shop.call(calls.getConnection, {})).awayUntil).toBeNull()
  })

  test('answers a person who asks that it is away', async () => {
    await connectUp()
    simulated.outage = true
    const { id } = await shop.invoice(garage.id, '8000')
    const away = { state: 'away', number: null, reason: 'away' }
    expect(await shop.call(calls.askNow, { id })).toMatchObject(away)
    expect((await standing(id)).state).toBe('away')
    simulated.outage = false
    await later()
    expect((await standing(id)).state).toBe('granted')
  })

  test('lends a number of the stock after three silences, and hears of it when it is back', async () => {
    await connectUp()
    await shop.call(calls.addStock, {
      numbers: ['12345678901234567890123456', '12345678901234567890123456', '987 654 321'],
    })
    expect((await shop.call(calls.getConnection, {})).stock).toEqual({ left: 2, used: 0, toReport: 0 })
    simulated.outage = true
    const { id } = await shop.invoice(garage.id, '8000')
    await work()
    await later()
    expect((await standing(id)).state).toBe('away')
    await later()
    expect((await standing(id)).state).toBe('granted')
    expect((await shop.call(calls.getConnection, {})).stock).toEqual({ left: 1, used: 1, toReport: 1 })
    simulated.outage = false
    await later()
    expect((await shop.call(calls.getConnection, {})).stock).toEqual({ left: 1, used: 1, toReport: 0 })
    const { rows } = await shop.call(calls.listStock, {})
    expect(rows.find((r) => r.documentId)?.documentId).toBe(id)
    await expect(
      shop.call(calls.dropStock, { number: rows.find((r) => r.documentId)!.number }),
    ).rejects.toMatchObject({
      code: 'allocation.numberUsed',
    })
    await shop.call(calls.dropStock, { number: rows.find((r) => !r.documentId)!.number })
  })
})

describe('a token', () => {
  test('that is refused is renewed once; one that cannot be renewed asks for a person', async () => {
    await connectUp()
    simulated.faults = ['token']
    const first = await shop.invoice(garage.id, '8000')
    await work()
    expect((await standing(first.id)).state).toBe('granted')
    expect(simulated.calls.map((c) => c.call)).toEqual(expect.arrayContaining(['renew']))
    // The call is refused, then so is the renewal.
    simulated.faults = ['token', 'token']
    const second = await shop.invoice(garage.id, '9000')
    await work()
    expect(await row(second.id)).toMatchObject({ state: 'waiting', reason: 'ended' })
    expect(await shop.call(calls.getConnection, {})).toMatchObject({ state: 'ended', waiting: 1 })
    await connectUp()
    await work()
    expect((await standing(second.id)).state).toBe('granted')
  })

  test('is renewed by one of several that need it at once', async () => {
    await connectUp()
    await sql`update authority_links set access_until = now() where company_id = ${companyId}`.execute(
      world.app.db.kysely,
    )
    simulated.calls = []
    const tokens = await Promise.all([1, 2, 3].map(() => accessToken(world.app, companyId)))
    expect(new Set(tokens.map((t) => JSON.stringify(t))).size).toBe(1)
    expect(simulated.calls.filter((c) => c.call === 'renew').length).toBe(1)
  })

  test('is kept sealed, and is forgotten when the connection is ended', async () => {
    await connectUp()
    const stored = async () =>
      (
        await sql<{
          r: Buffer | null
        }>`select refresh_sealed as r from authority_links where company_id = ${companyId}`.execute(
          world.app.db.kysely,
        )
      ).rows[0]!.r
    expect((await stored())!.toString('latin1')).not.toContain('refresh')
    expect(await shop.call(calls.revoke, {})).toMatchObject({ state: 'ended', endsAt: null })
    expect(await stored()).toBeNull()
  })

  test('comes only from a log-in that this business began, and once', async () => {
    const { url } = await shop.call(calls.connect, {})
    const { searchParams: sent } = new URL(url)
    const [code, state] = [sent.get('code')!, sent.get('state')!]
    const stranger = await newBusiness(world)
    await stranger.call(calls.connect, {})
    for (const [who, given] of [
      [stranger, { code, state }],
      [shop, { code, state: `${state}x` }],
      [shop, { code: 'made up', state }],
    ] as const)
      await expect(who.call(calls.returned, given)).rejects.toMatchObject({ code: 'allocation.loginRefused' })
    const { state: now, daysLeft } = await shop.call(calls.returned, { code, state })
    expect([now, [89, 90].includes(daysLeft!)]).toEqual(['connected', true])
    await expect(shop.call(calls.returned, { code, state })).rejects.toMatchObject({
      code: 'allocation.loginRefused',
    })
  })
})

describe('after a refusal', () => {
  let id: string
  beforeEach(async () => {
    await connectUp()
    id = (await shop.invoice(garage.id, '10460')).id
    await work()
  })
  const told = () => simulated.calls.filter((c) => c.call.startsWith('tell')).map((c) => c.call)

  test('the reason is told, and the invoice may stand without a number', async () => {
    expect(await row(id)).toMatchObject({ state: 'refused', reason: '460', tries: 1, canReverse: true })
    // The paper says that no input VAT may be deducted only once that was chosen, not while the person still
    // thinks it over.
    const copy = async () => Buffer.from(await shop.get(`/api4/invoice/documents/${id}/pdf?variant=copy`))
    const undecided = textOf(await copy())
    expect(undecided).not.toContain('תשומות')
    await shop.call(calls.decide, { id, choice: 'continue' })
    expect(textOf(await copy())).toContain('תשומות')
    await work()
    expect((await standing(id)).state).toBe('refused')
    expect(told()).toEqual(['tell continue'])
    expect((await shop.call(calls.listMissing, {})).counts).toEqual({ open: 0, refused: 0, decided: 1 })
    await expect(shop.call(calls.decide, { id, choice: 'cancel' })).rejects.toMatchObject({
      code: 'allocation.notRefused',
    })
    await later()
    expect(told().length).toBe(1)
  })

  test('only an invoice is issued anew without VAT', async () => {
    const { id: paid } = await shop.call(createDocument, {
      type: 9,
      customerId: garage.id,
      lines: [{ description: 'עבודה', quantity: '1', unitPrice: '10460' }],
      payments: [{ means: 3, amountAgorot: 1_234_280 }],
    })
    await work()
    await expect(shop.call(calls.decide, { id: paid, choice: 'reverseCharge' })).rejects.toMatchObject({
      status: 409,
      code: 'allocation.noReverse',
    })
    await shop.call(calls.decide, { id: paid, choice: 'continue' })
    // Told to the authority here, not in the next test.
    await later()
  })

  test('it may be cancelled by its credit', async () => {
    const { documentId } = await shop.call(calls.decide, { id, choice: 'cancel' })
    expect(await shop.call(getDocument, { id: documentId! })).toMatchObject({ type: 10 })
    expect(await shop.call(getDocument, { id })).toMatchObject({
      status: 'cancelled',
      allocationState: 'notNeeded',
    })
    // The decision is reported even when the authority is away at first.
    simulated.faults = ['away']
    await work()
    await later()
    expect(told()).toEqual(['tell cancel', 'tell cancel'])
  })

  test('it may be issued anew without VAT, under the same key, and gets its number', async () => {
    const { documentId } = await shop.call(calls.decide, { id, choice: 'reverseCharge' })
    const fresh = await shop.call(getDocument, { id: documentId! })
    expect(fresh.totals).toMatchObject({ vatAgorot: 0, totalAgorot: 1_046_000 })
    expect(fresh.notesBelow).toContain('לקוח חייב לדווח חשבונית עצמית')
    await work()
    expect((await standing(documentId!)).state).toBe('granted')
    expect(new Set(asked().map((c) => c.key)).size).toBe(1)
  })

  test('whoever may not cancel decides neither way out of it, and whoever may not issue makes nothing new', async () => {
    const mate = await newBusiness(world)
    const refusedFor = async (missing: string, choice: 'cancel' | 'reverseCharge') => {
      const rules = [...allRules()].filter(([name]) => name !== missing).map(([, number]) => number)
      await asSystem(world.app.db, async (tx) => {
        await sql`insert into memberships (company_id, user_id, type_id, rules)
          select ${companyId}, id, 9, ${rules}::int[] from users where email = ${mate.email}
          on conflict (company_id, user_id) do update set rules = excluded.rules`.execute(tx)
        await sql`update sessions set company_id = ${companyId}
          where user_id = (select id from users where email = ${mate.email})`.execute(tx)
      })
      await expect(mate.call(calls.decide, { id, choice })).rejects.toMatchObject({
        code: 'session.forbidden',
      })
    }
    await refusedFor('documents.cancel', 'cancel')
    await refusedFor('documents.cancel', 'reverseCharge')
    await refusedFor('documents.issue', 'reverseCharge')
    expect((await standing(id)).state).toBe('refused')
    await mate.call(calls.decide, { id, choice: 'cancel' })
    expect((await standing(id)).state).toBe('notNeeded')
  })

  test('an objection is heard, and the number comes', async () => {
    await shop.call(calls.decide, { id, choice: 'objection' })
    await work()
    expect((await standing(id)).state).toBe('granted')
  })
})

describe('by hand', () => {
  test('a number is entered, or the document needs none; what has a number is left alone', async () => {
    const [one, two] = [await shop.invoice(garage.id, '8000'), await shop.invoice(garage.id, '9000')]
    await expect(shop.call(calls.enterNumber, { id: one.id, number: '12' })).rejects.toMatchObject({
      code: 'kit.badInput',
    })
    await shop.call(calls.enterNumber, { id: one.id, number: '123-456-789' })
    expect(await standing(one.id)).toEqual({ state: 'manual', number: '123456789' })
    await expect(shop.call(calls.enterNumber, { id: two.id, number: '123456789' })).rejects.toMatchObject({
      code: 'allocation.numberUsed',
    })
    await expect(shop.call(calls.markNotNeeded, { id: one.id, reason: 'x y' })).rejects.toMatchObject({
      code: 'allocation.notWaiting',
    })
    await shop.call(calls.markNotNeeded, { id: two.id, reason: 'הלקוח אינו מנכה' })
    expect((await standing(two.id)).state).toBe('notNeeded')
    await connectUp()
    await work()
    expect(asked()).toEqual([])
  })

  test('all are asked with progress', async () => {
    for (const sum of ['8000', '10460', '9000']) await shop.invoice(garage.id, sum)
    await work()
    const { url } = await shop.call(calls.connect, {})
    const { searchParams: sent } = new URL(url)
    await shop.call(calls.returned, { code: sent.get('code')!, state: sent.get('state')! })
    // Before the work behind the connection has run.
    const { jobId } = await shop.call(calls.askAll, {})
    await sql`delete from outbox where company_id = ${companyId} and name = 'allocation.askWaiting'`.execute(
      world.app.db.kysely,
    )
    await work()
    expect(await shop.call(getJob, { id: jobId })).toMatchObject({
      state: 'done',
      done: 3,
      result: { granted: 2, refused: 1, away: false },
    })
    await expect(shop.call(calls.askAll, {})).rejects.toMatchObject({ code: 'allocation.nothingToAsk' })
  })
})

describe('a supplier’s number', () => {
  const invoice = {
    supplierTaxId: '',
    invoiceNumber: '4711',
    day: '2026-11-02',
    netAgorot: 600_000,
    vatAgorot: 108_000,
  }
  test('is confirmed, unknown, another sum’s, or found', async () => {
    await connectUp()
    const verify = async (number: string) =>
      (await shop.call(calls.verifyNumber, { ...invoice, supplierTaxId: newTaxId(), number })).answer
    // By the digits' sum; see the simulator.
    expect(await verify('100000001')).toBe('confirmed')
    expect(await verify('500000005')).toBe('notFound')
    expect(await verify('500000006')).toBe('differs')
    expect(await verify('')).toBe('found')
    // What is not filled in is no mistake of typing.
    await expect(shop.call(calls.verifyNumber, { ...invoice, number: '' })).rejects.toMatchObject({
      errors: [{ path: 'supplierTaxId', code: 'fields.need' }],
    })
    simulated.faults = ['away']
    await expect(verify('100000001')).rejects.toMatchObject({ code: 'allocation.away' })
  })

  test('is checked for many expenses, and what is not confirmed counts as VAT at risk', async () => {
    await connectUp()
    const typeId = (await shop.get('/api4/invoice/expensetypes?size=100')).rows.find(
      (k: { isFixedAsset: boolean }) => !k.isFixedAsset,
    ).id
    const bill = async (allocationNumber: string, supplierNumber: string, net = 600_000) =>
      (
        await shop.send('POST', '/api4/invoice/expenses', {
          supplier: { name: `ספק ${supplierNumber}`, taxId: newTaxId() },
          supplierNumber,
          date: '2026-11-02',
          allocationNumber,
          lines: [{ typeId, netAgorot: net, vatAgorot: Math.round(net * 0.18) }],
        })
      ).id as string
    const good = await bill('100000001', '11')
    const wrong = await bill('500000005', '12')
    const without = await bill('', '13')
    await bill('', '14', 20_000)
    const list = async () => shop.call(calls.listToVerify, { from: '2026-11-01', to: '2026-11-30' })
    const standings = async () =>
      Object.fromEntries((await list()).rows.map((r) => [r.expenseId, r.standing]))
    expect(await standings()).toEqual({
      [good]: 'unchecked',
      [wrong]: 'unchecked',
      [without]: 'missingNumber',
    })
    const { jobId } = await shop.call(calls.verifyExpenses, { ids: [good, wrong, without] })
    await work()
    expect(await shop.call(getJob, { id: jobId })).toMatchObject({
      state: 'done',
      result: { checked: 3, confirmed: 1 },
    })
    expect(await standings()).toEqual({ [good]: 'confirmed', [wrong]: 'notFound', [without]: 'found' })
    expect((await list()).atRiskAgorot).toBe(108_000)
  })

  test('of many waits while the authority is away, and is asked no more once the connection has ended: the work says why, what was answered stays', async () => {
    await connectUp()
    const typeId = (await shop.get('/api4/invoice/expensetypes?size=100')).rows.find(
      (k: { isFixedAsset: boolean }) => !k.isFixedAsset,
    ).id
    const bill = async (supplierNumber: string) =>
      (
        await shop.send('POST', '/api4/invoice/expenses', {
          supplier: { name: `ספק ${supplierNumber}`, taxId: newTaxId() },
          supplierNumber,
          date: '2026-11-02',
          allocationNumber: '100000001',
          lines: [{ typeId, netAgorot: 600_000, vatAgorot: 108_000 }],
        })
      ).id as string
    const ids = [await bill('21'), await bill('22'), await bill('23')]
    const standings = async () =>
      (await shop.call(calls.listToVerify, { from: '2026-11-01', to: '2026-11-30' })).rows
        .map((r) => r.standing)
        .toSorted()
    simulated.outage = true
    const away = await shop.call(calls.verifyExpenses, { ids })
    await work()
    expect(await shop.call(getJob, { id: away.jobId })).toMatchObject({ state: 'running', error: null })
    simulated.outage = false
    await sql`update outbox set run_after = now() where company_id = ${companyId} and done_at is null
        and failed_at is null`.execute(world.app.db.kysely)
    await work()
    expect(await shop.call(getJob, { id: away.jobId })).toMatchObject({
      state: 'done',
      result: { checked: 3, confirmed: 3 },
    })
    simulated.faults = ['token', 'token']
    const ended = await shop.call(calls.verifyExpenses, { ids })
    await work()
    expect(await shop.call(getJob, { id: ended.jobId })).toMatchObject({
      state: 'failed',
      error: { code: 'allocation.ended' },
    })
    expect(await standings()).toEqual(['confirmed', 'confirmed', 'confirmed'])
    expect(await shop.call(calls.getConnection, {})).toMatchObject({ state: 'ended' })
    await expect(shop.call(calls.verifyExpenses, { ids })).rejects.toMatchObject({ code: 'allocation.ended' })
  })
})

describe('the sum from which a number is needed', () => {
  test('is what the authority says, asked once a day; where it is silent the table of the law holds', async () => {
    await connectUp()
    const asks = () => simulated.calls.filter(({ call }) => call === 'minimumAmount').length
    const from = async (day?: string) => (await shop.call(allocationFrom, day ? { day } : {})).agorot
    const table = await from()
    simulated.outage = true
    expect(await askThreshold(world.app)).toBeUndefined()
    const silences = asks()
    expect(silences).toBeGreaterThan(0)
    simulated.outage = false
    // Not again within the hour, the person who asks.
    expect(await askThreshold(world.app)).toBeUndefined()
    expect(asks()).toBe(silences)
    expect(await from()).toBe(table)
    expect((await standing((await shop.invoice(garage.id, '4500')).id)).state).toBe('notNeeded')

    simulated.minimum = 400_000
    await asSystem(world.app.db, (tx) =>
      sql`update told_thresholds set asked_at = asked_at - interval '2 hours'`.execute(tx),
    )
    expect(await askThreshold(world.app)).toBe(400_000)
    expect(asks()).toBe(silences + 1)
    expect(await Promise.all([askThreshold(world.app), askThreshold(world.app)])).toEqual([
      undefined,
      undefined,
    ])
    expect(asks()).toBe(silences + 1)
    expect(await from()).toBe(400_000)
    // Of the days before its publication it says nothing.
    expect(await from('2026-01-01')).toBe(1_000_000)
    const above = await shop.invoice(garage.id, '4500')
    expect((await standing(above.id)).state).toBe('waiting')
    expect((await standing((await shop.invoice(garage.id, '4000')).id)).state).toBe('notNeeded')
    expect((await shop.call(calls.listMissing, {})).threshold).toBe(400_000)
    await work()
    expect((await standing(above.id)).state).toBe('granted')
  })

  test.each<[unknown, number | undefined]>([
    [5000, 500_000],
    ['5000', 500_000],
    [{ minimum_amount: 5000 }, 500_000],
    [{ status: 200, message: { MinimumAmount: '5000.00' } }, 500_000],
    [{ message: 'ok' }, undefined],
    [{ status: 200 }, undefined],
    [{ minimumAmount: null }, undefined],
    [{ minimumAmount: 5 }, undefined],
    [{ minimumAmount: 1e12 }, undefined],
    [{ minimumAmount: 5000, minimum_amount: 10_000 }, undefined],
    [null, undefined],
  ])('is read out of %j as %s', (body, expected) => {
    expect(minimumIn(body)).toBe(expected)
  })
})

describe('what is refused', () => {
  test('a stock that is empty', async () => {
    await connectUp()
    simulated.outage = true
    const { id } = await shop.invoice(garage.id, '30000')
    await work()
    await expect(shop.call(calls.fromStock, { id })).rejects.toMatchObject({
      status: 409,
      code: 'allocation.stockEmpty',
    })
    await shop.call(calls.addStock, { numbers: ['12345678901234567890123456'] })
    await shop.call(calls.fromStock, { id })
  })

  test('a number that somebody else is asking for at the moment', async () => {
    await connectUp()
    simulated.outage = true
    const { id } = await shop.invoice(garage.id, '30000')
    await work()
    simulated.outage = false
    await asSystem(world.app.db, async (tx) => {
      await sql`select 1 from allocation_requests where company_id = ${companyId} and document_id = ${id}
        for update`.execute(tx)
      await expect(shop.call(calls.askNow, { id })).rejects.toMatchObject({
        status: 409,
        code: 'allocation.beingAsked',
      })
    })
    await shop.call(calls.askNow, { id })
  })
})
