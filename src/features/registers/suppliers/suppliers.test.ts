import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { parseSystem1000 } from '#domain/filings/system1000/parse.ts'
import { withholdingFor, withholdingState, type WithholdingCertificate } from '#domain/withholding/rate.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { root } from '#kit/server/settings.ts'
import { newBusiness, newTaxId, startWorld, type Business, type World } from '../../../../tests/world.ts'
import {
  activityOfSupplier,
  applyAnswer1000,
  changeBank,
  findSupplierTwins,
  overview1000,
  query1000,
  readAnswer1000,
  supplierFigures,
  withholdingOfSupplier,
} from './endpoints.ts'
import { createExpense, expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import { bankChangeOf, withholdingOn, type Supplier } from './server/index.ts'

let world: World
let shop: Business
let companyId: string
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  companyId = (await shop.get('/api/user/session')).companyId
  await shop.send('PATCH', '/api4/invoice/company', { withholdingFile: '912345678' }).catch(async () => {
    await asSystem(world.app.db, (tx) =>
      sql`update companies set withholding_file = '912345678' where id = ${companyId}`.execute(tx),
    )
  })
})
afterAll(() => world.close())

const today = dayInJerusalem(new Date())
const base = '/api4/invoice/suppliers'
const supplier = (values: Record<string, unknown>): Promise<Supplier> => shop.send('POST', base, values)
const certify = (supplierId: string, values: Record<string, unknown> = {}) =>
  shop.send('POST', '/api4/invoice/withholdingCertificates', {
    supplierId,
    fromDay: addDays(today, -100),
    toDay: addDays(today, 200),
    rateBp: 0,
    ...values,
  })
const inside = <T>(work: Parameters<typeof asCaller<T>>[3]) =>
  asCaller(world.app, systemCaller(companyId), '', work)

describe('the register', () => {
  test('a supplier is no customer, and is found by what people write', async () => {
    const { id } = await supplier({ name: 'צבעי הירקון בע״מ', phone: '03-555-0177', dueTerms: 'eom:30' })
    expect((await shop.get('/api4/invoice/customers')).rows).toEqual([])
    expect((await shop.get(`${base}?q=ירקון`)).rows.map((r: { id: string }) => r.id)).toEqual([id])
    await expect(shop.get(`/api4/invoice/customers/${id}`)).rejects.toMatchObject({ status: 404 })
  })

  test('the same number may stand once among suppliers and once among customers', async () => {
    const taxId = newTaxId()
    await shop.customer('כהן', { taxId })
    const { id } = await supplier({ name: 'כהן', taxId, phone: '050-555 0101', email: 'cohen@example.com' })
    await expect(supplier({ name: 'כהן שוב', taxId })).rejects.toMatchObject({
      errors: [{ path: 'taxId', code: 'fields.taken' }],
    })
    expect((await shop.call(findSupplierTwins, { phone: '+972 50 5550101' })).rows).toMatchObject([
      { id, by: ['phone'] },
    ])
    expect((await shop.call(findSupplierTwins, { email: 'Cohen@example.com', taxId })).rows).toMatchObject([
      { id, by: ['taxId', 'email'] },
    ])
    expect((await shop.call(findSupplierTwins, { email: 'cohen@example.com', except: id })).rows).toEqual([])
  })

  test.each([
    ['dueTerms', 'later', 'fields.choice'],
    ['incomeTaxFile', '12', 'fields.incomeTaxFile'],
    ['withholdingKind', '44', 'fields.choice'],
    ['iban', 'IL620108000000099999998', 'fields.iban'],
    ['bankAccount', '12ab', 'fields.bankAccount'],
  ])('%s refuses %s', async (field, value, code) => {
    await expect(supplier({ name: 'x', [field]: value })).rejects.toMatchObject({
      errors: [{ path: field, code }],
    })
  })
})

describe('where a supplier is paid', () => {
  const account = { bankCode: 12, bankBranch: '600', bankAccount: '123456' }

  test('is kept as digits; an Israeli IBAN is an account like any other; a doubtful check digit refuses nothing', async () => {
    expect(await supplier({ name: 'א', ...account, bankAccount: '12-34/56' })).toMatchObject({
      bankAccount: '123456',
      iban: null,
      bankChangedAt: null,
    })
    expect(await supplier({ name: 'ב', iban: 'IL62 0108 0000 0009 9999 999' })).toMatchObject({
      bankCode: 10,
      bankBranch: '800',
      bankAccount: '99999999',
      iban: null,
    })
    expect(await supplier({ name: 'ג', iban: 'de89 3704 0044 0532 0130 00' })).toMatchObject({
      bankCode: null,
      iban: 'DE89370400440532013000',
    })
    await expect(supplier({ name: 'ד', bankAccount: '123456' })).rejects.toMatchObject({
      errors: [{ path: 'bankCode', code: 'fields.bankParts' }],
    })
    await expect(supplier({ name: 'ה', ...account, iban: 'IL620108000000099999999' })).rejects.toMatchObject({
      errors: [{ path: 'iban', code: 'fields.ibanDiffers' }],
    })
  })

  test('is changed only by its own step, typed twice, logged, and warned of', async () => {
    const { id } = await supplier({ name: 'נפתלי', ...account })
    await expect(shop.send('PATCH', `${base}/${id}`, { bankAccount: '654321' })).rejects.toMatchObject({
      errors: [{ path: 'bankAccount', code: 'fields.bankOwnStep' }],
    })
    // The same account, and what is not the account, may come along with the rest.
    await shop.send('PATCH', `${base}/${id}`, { ...account, name: 'נפתלי ובניו' })
    expect(await inside((ctx) => bankChangeOf(ctx, id))).toBeNull()

    const next = { id, ...account, bankAccount: '654321' }
    for (const again of [undefined, '123456', '65432'])
      await expect(shop.call(changeBank, { ...next, ...(again ? { again } : {}) })).rejects.toMatchObject({
        errors: [{ path: 'again', code: 'fields.bankAgain' }],
      })
    expect(await shop.get(`${base}/${id}`)).toMatchObject({ bankAccount: '123456' })
    await shop.call(changeBank, { ...next, again: '65-43-21' })

    expect(await inside((ctx) => bankChangeOf(ctx, id))).toMatchObject({ changedBy: 'נועה ורדי' })
    const { rows } = await shop.call(activityOfSupplier, { id, bank: 'true' })
    expect(rows).toMatchObject([
      {
        action: 'suppliers.bank',
        before: { bankAccount: '123456' },
        after: { bankAccount: '654321' },
        who: 'נועה ורדי',
      },
    ])
    await asSystem(world.app.db, (tx) =>
      sql`update parties set bank_changed_at = now() - interval '31 days' where id = ${id}`.execute(tx),
    )
    expect(await inside((ctx) => bankChangeOf(ctx, id))).toBeNull()
  })

  test('an account that is taken away and written anew is changed all the same', async () => {
    const { id } = await supplier({ name: 'זבולון', ...account })
    await shop.call(changeBank, { id })
    await asSystem(world.app.db, (tx) =>
      sql`update parties set bank_changed_at = now() - interval '90 days' where id = ${id}`.execute(tx),
    )
    await expect(shop.send('PATCH', `${base}/${id}`, account)).rejects.toMatchObject({
      errors: [{ code: 'fields.bankOwnStep' }],
    })
    await expect(shop.call(changeBank, { id, ...account })).rejects.toMatchObject({
      errors: [{ path: 'again' }],
    })
    await shop.call(changeBank, { id, ...account, again: account.bankAccount })
    expect(await inside((ctx) => bankChangeOf(ctx, id))).not.toBeNull()
  })

  test('the first account needs no second typing and is no change', async () => {
    const { id } = await supplier({ name: 'אשר' })
    await shop.call(changeBank, { id, ...account })
    expect(await shop.get(`${base}/${id}`)).toMatchObject({ bankAccount: '123456', bankChangedAt: null })
  })
})

describe('withholding', () => {
  test('the list says of every supplier what the domain says', async () => {
    const cases: Record<string, unknown>[][] = [
      [],
      [{}],
      [{ rateBp: 500 }, { rateBp: 700, fromDay: addDays(today, -3) }],
      [{ rateBp: 500, booksValid: false }],
      [{ rateBp: null }],
      [{ rateBp: 500, toDay: addDays(today, 30) }],
      [{ rateBp: 500, toDay: addDays(today, 31) }],
      [{ rateBp: 500, booksToDay: addDays(today, -1) }],
      [{ rateBp: 500, booksToDay: addDays(today, 10) }],
      [{ rateBp: 500, toDay: addDays(today, -1) }],
      [{ rateBp: 500, fromDay: addDays(today, 1) }],
    ]
    for (const given of cases) {
      const { id } = await supplier({ name: `ספק ${JSON.stringify(given)}`.slice(0, 200) })
      const certificates: WithholdingCertificate[] = []
      for (const one of given) certificates.push(await certify(id, one))
      const row: Supplier = await shop.get(`${base}/${id}`)
      const state = withholdingState(certificates, today)
      const { rateBp, reason, validTo } = withholdingFor({ day: today, kind: null, certificates })
      expect(row, JSON.stringify(given)).toMatchObject({
        withholdingState: state,
        withholdingBp: reason === 'certificate' ? rateBp : null,
        withholdingTo: reason === 'certificate' ? validTo : null,
      })
      expect(await shop.call(withholdingOfSupplier, { id }), JSON.stringify(given)).toMatchObject({
        rateBp,
        reason,
      })
    }
    const states = async (filter: string) =>
      (await shop.get(`${base}?size=100&${filter}`)).rows.map((r: Supplier) => r.withholdingState)
    expect(await states('withholdingState=expiring')).toEqual(['expiring', 'expiring'])
    expect(new Set(await states('withholdingState.in=none,booksNotApproved'))).toEqual(
      new Set(['none', 'booksNotApproved']),
    )
  })

  test('of a payment across the ceiling, and a certificate that is put away speaks no more', async () => {
    const { id } = await supplier({ name: 'תקרה', withholdingKind: '06' })
    const { id: certificate } = await certify(id, { rateBp: 500, ceilingAgorot: 1_000_00 })
    const paid = { amountAgorot: 400_00, paidSince: () => Promise.resolve(700_00) }
    expect(await inside((ctx) => withholdingOn(ctx, id, today, paid))).toMatchObject({
      withheldAgorot: 300_00 * 0.05 + 100_00 * 0.2,
      leftAgorot: 300_00,
    })
    await shop.send('DELETE', `/api4/invoice/withholdingCertificates/${certificate}`)
    expect(await inside((ctx) => withholdingOn(ctx, id, today))).toMatchObject({
      rateBp: 3000,
      reason: 'booksUnknown',
    })
    expect((await shop.call(activityOfSupplier, { id })).rows.map((r) => r.action)).toEqual([
      'withholdingCertificates.archive',
      'withholdingCertificates.create',
      'suppliers.create',
    ])
  })

  test.each([
    ['toDay', { toDay: '2020-01-01' }, 'fields.dayOrder'],
    ['rateBp', { rateBp: 10_001 }, 'fields.most'],
    ['ceilingAgorot', { ceilingAgorot: 0 }, 'fields.least'],
    ['fileId', { fileId: 'nothing' }, 'fields.ref'],
  ])('a certificate with a wrong %s is refused', async (path, values, code) => {
    const { id } = await supplier({ name: 'x' })
    await expect(certify(id, values)).rejects.toMatchObject({ errors: [{ path, code }] })
  })

  test('a certificate is a supplier’s, not a customer’s nor a stranger’s', async () => {
    const { id } = await shop.customer('לקוח')
    await expect(certify(id)).rejects.toMatchObject({ errors: [{ path: 'supplierId' }] })
    const other = await newBusiness(world)
    const { id: mine } = await supplier({ name: 'x' })
    await expect(
      other.send('POST', '/api4/invoice/withholdingCertificates', {
        supplierId: mine,
        fromDay: today,
        toDay: today,
      }),
    ).rejects.toMatchObject({ errors: [{ path: 'supplierId' }] })
  })
})

describe('System 1000', () => {
  const sample = (name: string) => readFileSync(join(root, 'src/domain/filings/system1000/samples', name))
  let asking: Business
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    asking = await newBusiness(world)
    const add = async (name: string, values: Record<string, unknown>) =>
      (ids[name] = (await asking.send('POST', base, { name, ...values })).id)
    await add('ירקון', { taxId: '514567890' })
    await add('גליל', { taxId: '557654324', withholdingKind: '02' })
    await add('לוי', { taxId: '301234563' })
    await add('בלי מספר', {})
    await add('זר', { dealerKind: 'foreign', taxId: newTaxId() })
  })

  test('asks about whoever has a number, and needs the withholding file for it', async () => {
    await expect(asking.call(query1000, {})).rejects.toMatchObject({ code: 'suppliers.noWithholdingFile' })
    const me = await asking.get('/api/user/session')
    await asSystem(world.app.db, (tx) =>
      sql`update companies set withholding_file = '912345678' where id = ${me.companyId}`.execute(tx),
    )
    const { rows } = await asking.call(overview1000, {})
    expect(Object.fromEntries(rows.map((r) => [r.name, r.problem]))).toEqual({
      ירקון: null,
      גליל: null,
      לוי: null,
      'בלי מספר': 'noNumber',
      זר: 'foreign',
    })
    const file = parseSystem1000(((await asking.call(query1000, {})) as Buffer).toString('latin1'))
    expect(file.queries).toEqual([
      // A partnership by its number with VAT only.
      { key: '557654324', incomeTaxFile: null, vatFile: '557654324' },
      { key: '514567890', incomeTaxFile: '514567890', vatFile: '514567890' },
      { key: '301234563', incomeTaxFile: '301234563', vatFile: '301234563' },
    ])
    await expect(asking.call(query1000, { part: 2 })).rejects.toMatchObject({ code: 'suppliers.nobodyToAsk' })
  })

  test('shows what an answer changes and saves nothing; then takes it over once, without those left out', async () => {
    const given = { name: 'answers.dat', bytes: sample('answers.dat') }
    const shown = await asking.call(readAnswer1000, given)
    expect(shown).toMatchObject({ kind: 'answers', strangers: [], badLines: [], refusals: [] })
    // The partnership is reported under insurance commission, so that is the rate that concerns it.
    expect(
      Object.fromEntries(shown.rows.map((r) => [r.name, [r.after.rateBp, r.after.booksValid, r.same]])),
    ).toEqual({
      ירקון: [0, true, false],
      גליל: [1000, true, false],
      לוי: [null, false, false],
    })
    expect((await asking.get('/api4/invoice/withholdingCertificates')).rows).toEqual([])

    expect(await asking.call(applyAnswer1000, { ...given, skip: '301234563' })).toEqual({ made: 2 })
    expect(await asking.call(applyAnswer1000, { ...given, skip: '301234563' })).toEqual({ made: 0 })
    const { rows } = await asking.get('/api4/invoice/withholdingCertificates')
    expect(rows).toMatchObject([{ source: 'system1000' }, { source: 'system1000' }])
    expect((await asking.call(readAnswer1000, given)).rows.filter((r) => r.same)).toHaveLength(2)
    // The answer itself is kept with each supplier as the proof.
    const files = await asking.get(`/api4/invoice/files/of/suppliers/${ids['ירקון']}`)
    expect(files.rows.map((f: { id: string }) => f.id)).toEqual([rows[0].fileId])
  })

  test('tells which supplier a refusal is about', async () => {
    const { refusals, kind } = await asking.call(readAnswer1000, {
      name: 'errors.dat',
      bytes: sample('errors.dat'),
    })
    expect(kind).toBe('errors')
    expect(refusals).toMatchObject([
      { name: 'גליל', errorCode: '02', known: 'incomeTaxFileOfPartnership' },
      { name: 'ירקון', errorCode: '41', known: null, errorText: 'SOMETHING NEW' },
    ])
  })

  test('understands a table, in the code page of old computers too, and asks for columns it does not recognise', async () => {
    const table = (text: string) => ({ name: 'x.csv', bytes: Buffer.from(text) })
    const read = await asking.call(
      readAnswer1000,
      table(
        'מספר עוסק,שם,שיעור ניכוי,בתוקף עד,אישור ספרים\n301234563,לוי,12.5%,31/12/2026,כן\n999,?,5,31/12/2026,כן\n\n301234563,לוי,5,מחר,כן\n301234563,לוי,x,31/12/2026,כן',
      ),
    )
    expect(read).toMatchObject({
      kind: 'table',
      strangers: ['000000999'],
      // Blank lines count: a person looks for the line in the table itself.
      badLines: [5, 6],
      table: { columns: { taxId: 0, rate: 2, toDay: 3, books: 4 }, missing: [] },
    })
    expect(read.rows).toMatchObject([
      { name: 'לוי', after: { rateBp: 1250, toDay: '2026-12-31', booksValid: true, ceilingAgorot: null } },
    ])

    const vague = await asking.call(readAnswer1000, table('a;b;c\n301234563;7;2026-12-31\n'))
    expect(vague).toMatchObject({
      rows: [],
      table: { head: ['a', 'b', 'c'], missing: ['taxId', 'rate', 'toDay'] },
    })
    const mapped = await asking.call(readAnswer1000, {
      ...table('a;b;c\n301234563;7;2026-12-31\n'),
      columns: 'taxId:0,rate:1,toDay:2',
    })
    expect(mapped.rows).toMatchObject([{ after: { rateBp: 700, toDay: '2026-12-31' } }])
    await expect(
      asking.call(readAnswer1000, { name: 'x', bytes: Buffer.from('hello\n') }),
    ).rejects.toMatchObject({
      code: 'suppliers.answerUnreadable',
    })
    await expect(
      asking.call(readAnswer1000, { name: 'x', bytes: Buffer.from([0, 1, 2, 0, 255]) }),
    ).rejects.toMatchObject({
      code: 'suppliers.answerUnreadable',
    })
  })
})

test('what is due first, and what is late, come from his open bills; what he is owed from the books', async () => {
  const buyer = await newBusiness(world)
  const { id } = await buyer.send('POST', base, { name: 'ספק החשבוניות', dueTerms: 'net:5' })
  await buyer.call(expenseFacts, {})
  const type = (await buyer.get('/api4/invoice/expensetypes?size=10')).rows[0].id
  const bill = (supplierNumber: string, netAgorot: number, date: string) =>
    buyer.call(createExpense, {
      supplierId: id,
      supplierNumber,
      date,
      lines: [{ typeId: type, netAgorot, vatAgorot: 0 }],
    } as never)
  await bill('1', 100_00, today)
  const row = () => buyer.get(`${base}/${id}`)
  expect(await row()).toMatchObject({ dueDay: addDays(today, 5), overdueAgorot: 0, balanceAgorot: 100_00 })
  await bill('2', 30_00, addDays(today, -7))
  expect(await row()).toMatchObject({
    dueDay: addDays(today, -2),
    overdueAgorot: 30_00,
    balanceAgorot: 130_00,
  })
  // Of all suppliers together, whatever page of them is shown.
  const { id: second } = await buyer.send('POST', base, { name: 'ספק שני', dueTerms: 'net:5' })
  await buyer.call(createExpense, {
    supplierId: second,
    supplierNumber: '3',
    date: today,
    lines: [{ typeId: type, netAgorot: 7_00, vatAgorot: 0 }],
  } as never)
  expect(await buyer.call(supplierFigures, {})).toEqual({
    owedAgorot: 137_00,
    overdueAgorot: 30_00,
    dueThisWeek: 1,
  })
  // The card in the books says the same, from the other side.
  const card = await buyer.get(
    `/api4/invoice/reports/providerCard?party=${id}&from=${addDays(today, -30)}&to=${addDays(today, 30)}`,
  )
  expect(card.rows.at(-1).balanceAgorot).toBe(-130_00)
})
