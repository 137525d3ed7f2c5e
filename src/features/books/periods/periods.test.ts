import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { addEntry } from '#features/base/ledger/endpoints.ts'
import { fileReturn } from '#features/tax/vat/endpoints.ts'
import { refusedByDatabase } from '../../../../tests/nets.ts'
import * as calls from './endpoints.ts'

let world: World
let today = '2026-05-10'
beforeAll(async () => {
  world = await startWorld(() => new Date(`${today}T09:00:00Z`))
})
afterAll(() => world.close())

const code = async (of: Promise<unknown>): Promise<string> => {
  try {
    await of
    return 'done'
  } catch (e) {
    return (e as { code: string }).code
  }
}
const account = async (me: Business, number: string): Promise<string> => {
  const { rows } = await me.get('/api5/invoicecpa/accounts?size=200')
  return rows.find((r: { number: string }) => r.number === number).id
}
const entry = async (me: Business, date: string) =>
  me.call(addEntry, {
    date,
    lines: [
      { accountId: await account(me, '6000'), debitAgorot: 100, creditAgorot: 0 },
      { accountId: await account(me, '1010'), debitAgorot: 0, creditAgorot: 100 },
    ],
  } as never)
const states = async (me: Business) =>
  Object.fromEntries(
    (await me.call(calls.checkPeriod, { kind: 'month', from: '2026-05-01' })).checks.map((c) => [
      c.name,
      [c.state, c.count],
    ]),
  )

describe('closing', () => {
  test('a month: the list, then nothing is posted into it, then opened with a reason', async () => {
    today = '2026-05-10'
    const me = await newBusiness(world)
    const customer = await me.customer('דנה לוי')
    await me.invoice(customer.id, '100')
    await me.invoice(customer.id, '50', { draft: true })
    await entry(me, '2026-04-03')
    expect(await code(me.call(calls.closePeriod, { kind: 'month', from: '2026-05-01' }))).toBe(
      'periods.notOver',
    )
    today = '2026-07-02'
    expect(await states(me)).toEqual({
      batches: ['ok', 0],
      drafts: ['look', 1],
      expenses: ['ok', 0],
      allocation: ['ok', 0],
      // A period of two months does not end in May.
      vatFiled: ['ok', 0],
      twoWays: ['ok', 0],
      trialBalance: ['ok', 0],
      earlier: ['look', 1],
    })
    expect(await code(me.call(calls.closePeriod, { kind: 'month', from: '2026-05-01' }))).toBe(
      'periods.waits',
    )
    const lock = await me.call(calls.closePeriod, {
      kind: 'month',
      from: '2026-05-17',
      despite: true,
      note: 'סוכם',
    })
    expect(lock).toMatchObject({
      kind: 'month',
      from: '2026-05-01',
      to: '2026-05-31',
      closedBy: 'נועה ורדי',
      note: 'סוכם',
      reopenedAt: null,
    })
    // What the list said stays with it.
    expect(lock.checks.filter((c) => c.state !== 'ok').map((c) => c.name)).toEqual(['drafts', 'earlier'])
    expect(await code(me.call(calls.closePeriod, { kind: 'month', from: '2026-05-01', despite: true }))).toBe(
      'periods.alreadyClosed',
    )
    expect(await code(entry(me, '2026-05-31'))).toBe('ledger.periodClosed')
    expect(await code(entry(me, '2026-06-01'))).toBe('done')
    const list = await me.call(calls.listPeriods, { year: 2026 })
    expect(list.months.map((m) => m.state)).toEqual([
      'open',
      'open',
      'open',
      'open',
      'closed',
      'open',
      'running',
      'ahead',
      'ahead',
      'ahead',
      'ahead',
      'ahead',
    ])
    expect(list.months[4]).toMatchObject({ entries: 1, lockId: lock.id })
    expect(await code(me.call(calls.reopenPeriod, { id: lock.id, reason: '' }))).toBe('kit.badInput')
    expect(await me.call(calls.reopenPeriod, { id: lock.id, reason: 'חשבונית חסרה' })).toMatchObject({
      reason: 'חשבונית חסרה',
      reopenedBy: 'נועה ורדי',
    })
    expect(await code(me.call(calls.reopenPeriod, { id: lock.id, reason: 'שוב' }))).toBe('periods.notClosed')
    expect(await code(entry(me, '2026-05-31'))).toBe('done')
    await expect(
      asSystem(world.app.db, (tx) =>
        sql`update locked_periods set reopened_at = null where id = ${lock.id}`.execute(tx),
      ),
    ).rejects.toThrow(/never changed/)
  })

  test('whatever is dated in a closed month is refused at the field of its day', async () => {
    today = '2026-05-10'
    const me = await newBusiness(world)
    const customer = await me.customer('דנה לוי')
    const supplier = await me.send<{ id: string }>('POST', '/api4/invoice/suppliers', { name: 'דלק השרון' })
    const kinds = (await me.get('/api4/invoice/expensetypes?size=100')).rows as {
      id: string
      key: string
      accountNumber: string
    }[]
    const typeId = kinds.find((kind) => kind.accountNumber === '6040')!.id
    const bill = (date: string, number: string) =>
      me.send<{ id: string; totalAgorot: number }>('POST', '/api4/invoice/expenses', {
        supplierId: supplier.id,
        supplierNumber: number,
        date,
        lines: [{ typeId, netAgorot: 10_000, vatAgorot: 1_800 }],
      })
    const owed = await bill(today, '1')
    const cheque = {
      means: 2,
      amountAgorot: 5_000,
      bank: '12',
      branch: '345',
      account: '123456',
      number: '71',
      dueDate: today,
    }
    await me.send('POST', '/api4/invoice/payments', { customerId: customer.id, payments: [cheque] })
    const inHand = (await me.get('/api4/invoice/payments?size=10')).rows[0].id as string
    const asset = await me.send<{ id: string }>('POST', '/api4/invoice/fixedassets', {
      name: 'מחשב',
      kind: 'computers',
      accountId: await account(me, '1500'),
      costAgorot: 500_000,
      startDay: '2026-01-01',
      depreciationBp: 3300,
    })
    today = '2026-06-05'
    await me.call(calls.closePeriod, { kind: 'month', from: '2026-05-01', despite: true })
    const day = '2026-05-20'
    const refused = (of: Promise<unknown>) =>
      of.then(
        () => 'done',
        (e: { errors: { path: string; code: string }[] }) =>
          e.errors.map((one) => `${one.path} ${one.code}`).join(),
      )
    const post = (path: string, body: object) => refused(me.send('POST', path, body))
    const closed = (path: string) => `${path} ledger.periodClosed`
    expect(await refused(entry(me, day))).toBe(closed('date'))
    const lines = [{ description: 'עבודה', quantity: '1', unitPrice: '10' }]
    expect(
      await post('/api4/invoice/documents', { type: 8, customerId: customer.id, date: day, lines }),
    ).toBe(closed('date'))
    const cash = [{ means: 1, amountAgorot: 1_000 }]
    expect(await post('/api4/invoice/payments', { customerId: customer.id, date: day, payments: cash })).toBe(
      closed('date'),
    )
    const batch = {
      documents: [
        { type: 8, customerId: customer.id, lines },
        { type: 8, customerId: customer.id, date: day, lines },
      ],
    }
    expect(await post('/api4/invoice/documents/batch', batch)).toBe(closed('documents.1'))
    expect(await refused(bill(day, '2'))).toBe('done')
    expect(
      await post('/api4/invoice/supplierpayments', {
        supplierId: supplier.id,
        bills: [{ id: owed.id, amountAgorot: 11_800 }],
        date: day,
        means: 'bank',
      }),
    ).toBe(closed('date'))
    expect(await post('/api4/invoice/deposits', { payments: [inHand], date: day })).toBe(closed('date'))
    expect(await post(`/api4/invoice/payments/${inHand}/giveback`, { date: day })).toBe(closed('date'))
    expect(await post(`/api4/invoice/fixedassets/${asset.id}/dispose`, { how: 'scrapped', date: day })).toBe(
      closed('date'),
    )
    expect(await post('/api4/invoice/depreciation', { to: '2026-05-31' })).toBe(closed('to'))
    expect(await post('/api4/invoice/vat/payments', { day, amountAgorot: 100 })).toBe(closed('day'))
    await me.send('PUT', '/api4/invoice/rates', { currency: 'USD', day, rate: '3.7' })
    const [bank] = (
      await me.send<{ bankAccounts: { id: string }[] }>('POST', '/api5/invoicecpa/revaluations/preview', {
        day,
      })
    ).bankAccounts
    const banks = [{ accountId: bank!.id, currency: 'USD', foreignAgorot: 5_000 }]
    expect(await post('/api5/invoicecpa/revaluations', { day, banks })).toBe(closed('day'))
    // Its last open day, whose next day is closed, is no field's: it is said of the whole.
    expect(await post('/api5/invoicecpa/revaluations', { day: '2026-04-30', banks })).not.toBe('done')
  })

  test('a year closes its months with it; a VAT period is not opened here', async () => {
    today = '2025-11-10'
    const me = await newBusiness(world)
    const customer = await me.customer('דנה לוי')
    await me.invoice(customer.id, '100')
    today = '2026-02-01'
    expect(
      (await me.call(calls.checkPeriod, { kind: 'year', from: '2025-01-01' })).checks.find(
        (c) => c.name === 'vatFiled',
      ),
    ).toMatchObject({ state: 'look', count: 1 })
    await me.call(fileReturn, { period: '2025-12' })
    expect(
      (await me.call(calls.checkPeriod, { kind: 'year', from: '2025-01-01' })).checks.every(
        (c) => c.state === 'ok',
      ),
    ).toBe(true)
    await me.call(calls.closePeriod, { kind: 'year', from: '2025-06-01' })
    const { yearRow, months, history } = await me.call(calls.listPeriods, { year: 2025 })
    expect([yearRow.state, new Set(months.map((m) => m.state)), months[10]!.vatFiled]).toEqual([
      'closed',
      new Set(['closedByYear']),
      true,
    ])
    expect(await code(entry(me, '2025-12-31'))).toBe('ledger.periodClosed')
    expect(await code(me.call(calls.closePeriod, { kind: 'month', from: '2025-03-01' }))).toBe(
      'periods.alreadyClosed',
    )
    const vat = history.find((h) => h.kind === 'vat')!
    expect(await code(me.call(calls.reopenPeriod, { id: vat.id, reason: 'לא מכאן' }))).toBe('kit.notFound')
  })

  test('a difference of the two ways, or a sum that does not balance, stops it', async () => {
    today = '2026-05-10'
    const me = await newBusiness(world)
    const { companyId } = await me.get('/api/user/session')
    await me.invoice((await me.customer('דנה לוי')).id, '100')
    today = '2026-06-02'
    await asSystem(world.app.db, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`update postings set amount_agorot = amount_agorot - 1 where company_id = ${companyId}
          and account_id = (select id from accounts where company_id = ${companyId}
          and number = '2100')`.execute(tx)
    })
    expect(await states(me)).toMatchObject({ twoWays: ['stop', 1], trialBalance: ['stop', 2] })
    expect(await code(me.call(calls.closePeriod, { kind: 'month', from: '2026-05-01', despite: true }))).toBe(
      'periods.blocked',
    )
  })

  test('the right to see the books is no right to close them', async () => {
    const me = await newBusiness(world)
    const { companyId } = await me.get('/api/user/session')
    const mate = await newBusiness(world)
    await asSystem(world.app.db, async (tx) => {
      await sql`insert into memberships (company_id, user_id, type_id, rules)
        select ${companyId}, id, 9, array[70] from users where email = ${mate.email}`.execute(tx)
      await sql`update sessions set company_id = ${companyId}
        where user_id = (select id from users where email = ${mate.email})`.execute(tx)
    })
    expect(await code(me.call(calls.listPeriods, {}, { token: mate.token }))).toBe('done')
    expect(
      await code(me.call(calls.closePeriod, { kind: 'month', from: '2026-01-01' }, { token: mate.token })),
    ).toBe('session.forbidden')
  })
})

test('whoever sees a part of the papers or of the customers closes nothing and sees no list', async () => {
  const [me, mate] = [await newBusiness(world), await newBusiness(world)]
  const { id } = await me.customer('כהן')
  for (const [types, own] of [
    [[8], false],
    [[], true],
  ] as const) {
    await asSystem(world.app.db, async (tx) => {
      const { rows } = await sql<{
        company: string
      }>`select company_id as company from parties where id = ${id}`.execute(tx)
      await sql`insert into memberships (company_id, user_id, type_id, rules, docs_allow, own_customers_only)
        select ${rows[0]!.company}, id, 9, '{}', ${types}::smallint[], ${own} from users
        where email = ${mate.email}
        on conflict (company_id, user_id) do update set docs_allow = excluded.docs_allow,
          own_customers_only = excluded.own_customers_only`.execute(tx)
      await sql`update sessions set company_id = ${rows[0]!.company}
        where user_id = (select id from users where email = ${mate.email})`.execute(tx)
    })
    expect(await code(mate.call(calls.listPeriods, {}))).toBe('session.forbidden')
    expect(await code(mate.call(calls.checkPeriod, { kind: 'month', from: '2026-04-01' }))).toBe(
      'session.forbidden',
    )
  }
})

test('a lock is never changed nor deleted, by whatever statement', async () => {
  today = '2026-07-02'
  const me = await newBusiness(world)
  await entry(me, '2026-04-03')
  const { id } = await me.call(calls.closePeriod, { kind: 'month', from: '2026-04-01', despite: true })
  for (const statement of [
    sql`update locked_periods set from_day = '2026-03-01' where id = ${id}`,
    sql`delete from locked_periods where id = ${id}`,
  ])
    expect(await refusedByDatabase(world, statement)).toBe('periods.frozen')
  expect(
    await refusedByDatabase(world, sql`update locked_periods set reopened_at = now() where id = ${id}`),
  ).toBe('nothing')
})
