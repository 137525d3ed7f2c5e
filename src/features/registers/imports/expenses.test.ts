import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { completeCheckDigit } from '#domain/taxId.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { approveExpense, createExpense, getExpense } from '#features/purchases/expenses/endpoints.ts'
import { closePeriod } from '#features/books/periods/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import * as calls from './endpoints.ts'
import type { WholeImport } from './endpoints.ts'

let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-20T10:00:00Z'))
})
afterAll(() => world.close())

const checked = async (of: Business, text: string): Promise<WholeImport> => {
  const one = (await of.call(calls.uploadImport, {
    resource: 'expenses',
    name: 'bills.csv',
    bytes: Buffer.from(text),
  } as never)) as WholeImport
  await of.call(calls.checkImport, { id: one.id, mapping: one.mapping })
  await world.worker.drain()
  return of.call(calls.getImport, { id: one.id })
}
const run = async (of: Business, id: string, take: 'all' | 'good' = 'all') => {
  await of.call(calls.runImport, { id, take })
  await world.worker.drain()
  return of.call(calls.getImport, { id })
}
const undo = async (of: Business, id: string) => {
  await of.call(calls.undoImport, { id })
  await world.worker.drain()
  return of.call(calls.getImport, { id })
}
const bills = async (of: Business) =>
  (await of.get('/api4/invoice/expenses?size=200&sort=supplierNumber')).rows.map((row: any) => [
    row.supplierIdName,
    row.supplierNumber,
    row.totalAgorot,
    row.state,
  ])
const number = completeCheckDigit('51234567')
const heads = 'תאריך,ספק,ח.פ,מספר חשבונית,סוג הוצאה,תיאור השורה,לפני מע״מ,מע״מ,סה״כ,אמצעי תשלום'
const file = [
  heads,
  `01/11/2026,דלק הצפון,${number},771,דלק,סולר,100,18,,עדיין לא שולם`,
  // Another bill is between the lines of one.
  `02/11/2026,נייר בע״מ,,55,ציוד משרדי מתכלה,,,9,59,בנק`,
  `01/11/2026,דלק הצפון,,00771,Office supplies,שמן,50,,59,`,
].join('\n')

describe('expenses from a file', () => {
  test('rows of one supplier and number are one bill; the same file again brings nothing; all of it goes back', async () => {
    const shop = await newBusiness(world)
    const one = await checked(shop, file)
    expect(one.mapping).toEqual([
      'day',
      'supplierName',
      'supplierTaxId',
      'supplierNumber',
      'typeName',
      'lineDetails',
      'netAgorot',
      'vatAgorot',
      'totalAgorot',
      'means',
    ])
    expect(one).toMatchObject({ state: 'checked', counts: { create: 3 }, keys: [] })
    // A dry run leaves nothing behind, suppliers neither.
    expect(await bills(shop)).toEqual([])
    expect((await shop.get('/api4/invoice/suppliers')).rows).toEqual([])

    expect(await run(shop, one.id)).toMatchObject({ state: 'done', counts: { create: 3 }, mayUndo: true })
    expect(await bills(shop)).toEqual([
      ['נייר בע״מ', '55', 5_900, 'approved'],
      ['דלק הצפון', '771', 17_700, 'approved'],
    ])
    const { rows } = await shop.call(calls.importRows, { id: one.id, outcome: 'create' })
    expect(rows[0]!.targetId).toBe(rows[2]!.targetId)
    const bill = await shop.call(getExpense, { id: rows[0]!.targetId! })
    expect(bill).toMatchObject({ source: 'import', supplierTaxId: number, openAgorot: 17_700 })
    expect(bill.lines.map((l) => [l.details, l.netAgorot, l.vatAgorot])).toEqual([
      ['סולר', 10_000, 1_800],
      ['שמן', 5_000, 900],
    ])

    const again = await checked(shop, file)
    expect(again.counts).toEqual({ same: 3 })
    await expect(shop.call(calls.runImport, { id: again.id, take: 'good' })).rejects.toMatchObject({
      code: 'imports.nothingToDo',
    })

    expect(await undo(shop, one.id)).toMatchObject({ state: 'undone', counts: { undone: 3, refused: 0 } })
    expect((await bills(shop)).map((row: string[]) => row[3])).toEqual(['cancelled', 'cancelled'])
    const trial = await shop.get('/api4/invoice/reports/trialBalance?from=2026-01-01&to=2026-12-31')
    expect(trial.rows.every((row: { balanceAgorot: number }) => row.balanceAgorot === 0)).toBe(true)
  })

  test('faults stand at their row and column, and a bill with a faulty row is left out whole', async () => {
    const shop = await newBusiness(world)
    const one = await checked(
      shop,
      [
        heads,
        '01/11/2026,א,,1,דלק,,100,18,,',
        '01/11/2026,א,,1,אין כזה,,100,18,,',
        '02/11/2026,ב,,2,דלק,,,,118,',
        '03/11/2026,ג,,3,דלק,,10,,25,',
        '04/11/2026,ד,,4,דלק,,100,18,,בנק',
        '05/11/2026,ד,,4,דלק,,7,0,,',
        '01/01/2030,ה,,5,דלק,,100,18,,',
        'לא תאריך,ו,,6,דלק,,100,18,,',
        '06/11/2026,ז,,,דלק,,100,18,,',
        '07/11/2026,ח,,8,דלק,,100,18,,',
      ].join('\n'),
    )
    expect(one.counts).toEqual({ create: 1, faulty: 9 })
    const { rows } = await shop.call(calls.importRows, { id: one.id, outcome: 'faulty' })
    expect(rows.map(({ row, faults }) => [row, faults.map((f) => [f.column, f.code])])).toEqual([
      [2, [[null, 'imports.otherRow']]],
      [3, [[4, 'imports.refMissing']]],
      [4, [[6, 'expenses.sumsNeeded']]],
      [5, [[7, 'fields.range']]],
      [6, [[null, 'imports.otherRow']]],
      [7, [[0, 'expenses.rowsDiffer']]],
      [8, [[0, 'expenses.vatInFuture']]],
      [9, [[0, 'fields.day']]],
      [10, [[3, 'fields.need']]],
    ])
    await run(shop, one.id, 'good')
    expect(await bills(shop)).toEqual([['ח', '8', 11_800, 'approved']])
  })

  test('a project is known by its number or its name; an unknown one is a fault of its row', async () => {
    const shop = await newBusiness(world)
    const { id } = await shop.send('POST', '/api4/invoice/projects', { name: 'גג', number: 'P-7' })
    const one = await checked(
      shop,
      [
        `${heads},פרויקט`,
        '01/11/2026,א,,1,דלק,,100,18,,,גג',
        '01/11/2026,ב,,2,דלק,,100,18,,,P-7',
        '01/11/2026,ג,,3,דלק,,100,18,,,אין כזה',
      ].join('\n'),
    )
    expect(one.counts).toEqual({ create: 2, faulty: 1 })
    const { rows } = await shop.call(calls.importRows, { id: one.id, outcome: 'faulty' })
    expect(rows.map(({ row, faults }) => [row, faults.map((f) => [f.column, f.code])])).toEqual([
      [4, [[10, 'imports.refMissing']]],
    ])
    await run(shop, one.id, 'good')
    const { rows: made } = await shop.get<{ rows: { id: string }[] }>('/api4/invoice/expenses?size=200')
    for (const bill of made) {
      const { lines } = await shop.call(getExpense, { id: bill.id })
      expect(lines.map(({ projectId }) => projectId)).toEqual([id])
    }
    expect(made).toHaveLength(2)
  })

  test('who may not approve leaves them waiting; what was approved or paid since is not taken back', async () => {
    const shop = await newBusiness(world)
    const me = await shop.call(mySession, {})
    const setRules = (rules: string) =>
      asSystem(world.app.db, (tx) =>
        sql`update memberships set rules = ${rules}::int[] where company_id = ${me.CompanyKey}`.execute(tx),
      )
    await asSystem(world.app.db, (tx) =>
      sql`update companies set expense_approval_above_agorot = 0 where id = ${me.CompanyKey}`.execute(tx),
    )
    // To bring in files, and to enter expenses.
    await setRules('{55,41}')
    const one = await checked(shop, file)
    await run(shop, one.id)
    await setRules('{}')
    expect((await bills(shop)).map((row: string[]) => row[3])).toEqual(['waiting', 'waiting'])
    const { rows } = await shop.call(calls.importRows, { id: one.id, outcome: 'create' })
    await shop.call(approveExpense, { id: rows[1]!.targetId! })
    expect(await undo(shop, one.id)).toMatchObject({ counts: { undone: 2, refused: 1 } })
    expect(await bills(shop)).toEqual([['נייר בע״מ', '55', 5_900, 'approved']])
    const refused = await shop.call(calls.importRows, { id: one.id, outcome: 'refused' })
    expect(refused.rows.map(({ undone }) => undone)).toEqual(['touched'])
  })

  test('nobody who may not enter expenses brings them in, and a bill that was typed in is known', async () => {
    const shop = await newBusiness(world)
    const kind = (await shop.get('/api4/invoice/expensetypes?size=10')).rows[0].id
    await shop.call(createExpense, {
      supplier: { name: 'נייר בע״מ' },
      supplierNumber: '55',
      date: '2026-11-02',
      lines: [{ typeId: kind, netAgorot: 5_000, vatAgorot: 900 }],
    })
    expect((await checked(shop, file)).counts).toEqual({ create: 2, same: 1 })
    const me = await shop.call(mySession, {})
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set rules = '{55,10,11}' where company_id = ${me.CompanyKey}`.execute(tx),
    )
    expect((await shop.call(calls.importable, {})).rows.map(({ resource }) => resource)).not.toContain(
      'expenses',
    )
    await expect(checked(shop, file)).rejects.toMatchObject({ status: 403 })
  })

  test('of a closed month is refused at the column of its day, and only what claims VAT comes in, on the day that is open', async () => {
    const shop = await newBusiness(world)
    await shop.call(closePeriod, { kind: 'month', from: '2026-10-01', despite: true })
    const one = await checked(
      shop,
      [
        heads,
        `05/10/2026,עיריית חיפה,,81,ארנונה,,100,0,,בנק`,
        `06/10/2026,דלק הצפון,${number},82,דלק,סולר,100,18,,עדיין לא שולם`,
      ].join('\n'),
    )
    expect(one.counts).toEqual({ create: 1, faulty: 1 })
    const { rows } = await shop.call(calls.importRows, { id: one.id })
    expect(rows[0]!.faults).toMatchObject([{ column: 0, code: 'ledger.periodClosed' }])
    await run(shop, one.id, 'good')
    const [bill] = (await shop.get('/api4/invoice/expenses')).rows
    expect(bill).toMatchObject({ supplierNumber: '82' })
    const dated = { date: '2026-10-06', booksDate: '2026-11-20', vatDate: '2026-11-20' }
    expect(await shop.call(getExpense, { id: bill.id })).toMatchObject(dated)
  })
})
