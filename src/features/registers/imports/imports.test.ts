import { readdirSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { readSheet } from 'read-excel-file/node'
import iconv from 'iconv-lite'
import { sql } from 'kysely'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completeCheckDigit } from '#domain/taxId.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { workbook as workbookOf } from '../../../../tests/workbook.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { getJob, listJobs, stopJob } from '#features/base/jobs/endpoints.ts'
import * as calls from './endpoints.ts'
import type { WholeImport } from './endpoints.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const upload = (
  of: Business,
  resource: string,
  name: string,
  bytes: Uint8Array,
  more: Record<string, string> = {},
) => of.call(calls.uploadImport, { resource, name, bytes, ...more } as never) as Promise<WholeImport>
const settle = async (of: Business, id: string): Promise<WholeImport> => {
  await world.worker.drain()
  return of.call(calls.getImport, { id })
}
/** Uploads, checks and answers the import as the dry run left it. */
const checked = async (
  of: Business,
  text: string | Uint8Array,
  {
    resource = 'customers',
    name = 'file.csv',
    options = {},
    mapping = undefined as (string | null)[] | undefined,
  } = {},
) => {
  const one = await upload(of, resource, name, typeof text === 'string' ? Buffer.from(text) : text)
  await of.call(calls.checkImport, { id: one.id, mapping: mapping ?? one.mapping, options })
  return settle(of, one.id)
}
const workbook = (rows: string[], shared = ['שם לקוח', 'טלפון']) => workbookOf({ גיליון: rows }, shared)
const run = async (of: Business, id: string, take: 'all' | 'good' = 'all') => {
  await of.call(calls.runImport, { id, take })
  return settle(of, id)
}
const customersOf = async (of: Business) =>
  (await of.get('/api4/invoice/customers?size=200&sort=name')).rows as Record<string, unknown>[]
const id9 = (n: number) => completeCheckDigit(String(51_000_000 + n))

describe('a file of work', () => {
  test.each([
    ['כותרת,תאריך יעד,שעה,אחראי,עדיפות,שם לקוח,הערות', 'גבוהה'],
    ['Subject,Due date,Time,Assigned to,Priority,Customer name,Description', 'high'],
    ['المهمة,الموعد النهائي,الساعة,المسؤول,الأولوية,اسم العميل,ملاحظة', 'عالية'],
    ['Название,Срок,Время,Ответственный,Приоритет,Клиент,Комментарий', 'Высокий'],
    ['Titre,Échéance,Heure,Responsable,Priorité,Nom du client,Commentaire', 'Haute'],
  ])('its columns are known by what people call them: %s', async (heads, high) => {
    const shop = await newBusiness(world)
    await shop.customer('דנה לוי')
    const one = await checked(
      shop,
      [heads, `לחזור בעניין ההצעה,01/12/2026,10:00,,${high},דנה לוי,x`].join('\n'),
      { resource: 'tasks' },
    )
    expect(one.mapping).toEqual(['title', 'dueDay', 'dueTime', 'ownerId', 'priority', 'customerId', 'notes'])
    expect(one).toMatchObject({ state: 'checked', counts: { create: 1 } })
    await run(shop, one.id)
    const { rows } = await shop.get('/api4/invoice/tasks')
    expect(rows).toMatchObject([
      { title: 'לחזור בעניין ההצעה', dueDay: '2026-12-01', priority: 'high', customerIdName: 'דנה לוי' },
    ])
  })

  test.each([
    'שם,טלפון,מייל,מקור,אחראי,תאריך המשך,הצעד הבא,סכום צפוי,סיכוי',
    'Name,Phone,Email,Lead source,Owner,Follow up date,Next step,Deal value,Probability',
    'Nom,Téléphone,E-mail,Origine,Commercial,Date de relance,Prochaine étape,Montant,Probabilité',
  ])('and those of leads: %s', async (heads) => {
    const shop = await newBusiness(world)
    const one = await upload(
      shop,
      'leads',
      'leads.csv',
      Buffer.from(`${heads}\nדנה,0521234567,d@example.com,,,,,,\n`),
    )
    expect(one.mapping).toEqual([
      'name',
      'phone',
      'email',
      'sourceId',
      'ownerId',
      'nextDay',
      'nextText',
      'sumAgorot',
      'chanceBp',
    ])
  })
})

describe('a file of customers', () => {
  test('is understood, tried, brought in, recognised when it comes again, and taken back', async () => {
    const shop = await newBusiness(world)
    const old = await shop.customer('כהן בע"מ', { taxId: id9(1), city: 'חיפה', phone: '04-8123456' })
    const text = [
      'שם לקוח;ח.פ;טלפון;מסגרת אשראי;עיר;שטות',
      `כהן בע"מ;${id9(1)};04-8123456;;תל אביב;x`,
      `"לוי; ובניו";${id9(2)};521234567;₪ 1,234.50;;x`,
      `עסק שגוי;123456789;12;12,34,5;;x`,
      ';;;;;',
    ].join('\r\n')
    const one = await checked(shop, text)
    expect(one.mapping).toEqual(['name', 'taxId', 'phone', 'creditLimitAgorot', 'city', null])
    expect(one.reading).toMatchObject({ encoding: 'utf-8', delimiter: ';', headRow: 1 })
    expect(one).toMatchObject({ state: 'checked', counts: { create: 1, change: 1, faulty: 1 } })
    expect(await customersOf(shop)).toHaveLength(1)

    const { rows: faults } = await shop.call(calls.importRows, { id: one.id })
    expect(faults[0]).toMatchObject({ row: 4, title: 'עסק שגוי' })
    expect(faults[0]!.faults.map((f) => [f.column, f.code, f.value])).toEqual([
      [1, 'fields.taxId', '123456789'],
      [2, 'fields.phone', '12'],
      [3, 'fields.money', '12,34,5'],
    ])
    expect(faults[0]!.faults[0]!.text).toBe('נפלה טעות במספר. בדקו את תשע הספרות.')
    const sheet = await readSheet(Buffer.from(await shop.call(calls.importFaults, { id: one.id })))
    expect(sheet[0]).toContain('ח.פ')
    expect(sheet[1]).toEqual(expect.arrayContaining([4, 'עסק שגוי', '123456789']))

    await expect(shop.call(calls.runImport, { id: one.id, take: 'all' })).rejects.toMatchObject({
      status: 422,
      code: 'imports.hasFaults',
    })
    const done = await run(shop, one.id, 'good')
    expect(done).toMatchObject({ state: 'done', counts: { create: 1, change: 1, faulty: 1 }, mayUndo: true })
    const after = await customersOf(shop)
    expect(after.map((c) => [c.name, c.taxId, c.phone, c.city, c.creditLimitAgorot])).toEqual([
      ['כהן בע"מ', id9(1), '04-8123456', 'תל אביב', null],
      ['לוי; ובניו', id9(2), '0521234567', null, 123_450],
    ])
    // Found by the search as if it had been typed in.
    expect((await shop.get(`/api4/invoice/customers?q=${encodeURIComponent('ובניו')}`)).rows).toHaveLength(1)

    const again = await checked(shop, text)
    expect(again.counts).toEqual({ same: 2, faulty: 1 })
    expect(again.head.remembered).toBe(true)
    await expect(shop.call(calls.runImport, { id: again.id, take: 'good' })).rejects.toMatchObject({
      code: 'imports.nothingToDo',
    })

    await shop.call(calls.undoImport, { id: one.id })
    expect(await settle(shop, one.id)).toMatchObject({
      state: 'undone',
      counts: { undone: 2, refused: 0 },
      mayUndo: false,
    })
    expect((await customersOf(shop)).map((c) => [c.id, c.city])).toEqual([[old.id, 'חיפה']])
    // One line each in the log, whatever the number of rows.
    const log = (await shop.get('/api4/invoice/audit')).rows.map(
      (r: { action: string }) => r.action,
    ) as string[]
    expect(log.filter((action) => action.startsWith('imports.')).sort()).toEqual([
      'imports.run',
      'imports.undo',
      'imports.upload',
      'imports.upload',
    ])
  })

  test('an undo leaves what was used or touched since, and says so', async () => {
    const shop = await newBusiness(world)
    const one = await checked(shop, 'שם\nאחת\nשתיים\nשלוש')
    await run(shop, one.id)
    const [used, touched] = await customersOf(shop)
    await shop.invoice(String(used!.id), '100')
    await shop.send('PATCH', `/api4/invoice/customers/${touched!.id}`, { city: 'לוד' })
    await shop.call(calls.undoImport, { id: one.id })
    expect(await settle(shop, one.id)).toMatchObject({ state: 'undone', counts: { undone: 1, refused: 2 } })
    const { rows } = await shop.call(calls.importRows, { id: one.id, outcome: 'refused' })
    expect(rows.map((r) => r.undone).sort()).toEqual(['touched', 'used'])
    expect(await customersOf(shop)).toHaveLength(2)
  })

  test('two rows of one customer: the first counts; a number of another customer is refused', async () => {
    const shop = await newBusiness(world)
    await shop.customer('בעל המספר', { taxId: id9(10) })
    const one = await checked(shop, `name,tax id\nא,${id9(11)}\nב,${id9(11)}\nג,${id9(10)}`, {
      options: { matchBy: 'name' },
    })
    expect(one.counts).toEqual({ create: 1, faulty: 2 })
    const { rows } = await shop.call(calls.importRows, { id: one.id })
    expect(rows.map((r) => r.faults[0]!.code)).toEqual(['imports.twin', 'fields.taken'])
  })

  test('records that are there may be left as they are', async () => {
    const shop = await newBusiness(world)
    await shop.customer('דנה', { city: 'לוד' })
    const one = await checked(shop, 'name,city\nדנה,רמלה\nאורי,עכו', { options: { existing: 'skip' } })
    expect(one.counts).toEqual({ create: 1, skip: 1 })
  })

  test('the register may have changed between the check and the run', async () => {
    const shop = await newBusiness(world)
    const all = await checked(shop, `name,tax id\nא,${id9(20)}\nב,${id9(21)}`)
    await shop.customer('הקדים', { taxId: id9(21) })
    // A new one has become a change of what is there.
    expect((await run(shop, all.id)).counts).toEqual({ create: 1, change: 1 })
    expect((await customersOf(shop)).map((c) => c.name)).toEqual(['א', 'ב'])
  })

  test('other registers come in the same way: items by number, prices, words for choices, references by number', async () => {
    const shop = await newBusiness(world)
    const text =
      'SKU\tproduct\tprice\tVAT\tincome account\nA-1\tשעת עבודה\t1.234,5\tפטור\t4000\nA-2\tחלק\t12.3456\tלפני מע״מ\t9999'
    const one = await upload(shop, 'items', 'items.tsv', Buffer.from(text))
    expect(one.mapping.slice(0, 4)).toEqual(['sku', 'name', 'price', 'vatKind'])
  })

  test('rights: without the right to import, and without the right to change the register, nothing; nobody sees another business’s', async () => {
    const shop = await newBusiness(world)
    const other = await newBusiness(world)
    const one = await checked(shop, 'name\nא')
    await expect(other.call(calls.getImport, { id: one.id })).rejects.toMatchObject({ status: 404 })
    await expect(other.call(getJob, { id: one.jobId! } as never)).rejects.toMatchObject({ status: 404 })
    const me = await shop.get('/api/user/session')
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set rules = '{10,55}' where company_id = ${me.companyId}`.execute(tx),
    )
    await expect(shop.call(calls.getImport, { id: one.id })).rejects.toMatchObject({ status: 404 })
    await expect(upload(shop, 'customers', 'a.csv', Buffer.from('name\nא'))).rejects.toMatchObject({
      status: 403,
    })
    expect((await shop.call(calls.importable, {})).rows).toEqual([])
  })
})

describe('code pages', () => {
  const hebrew = 'שם לקוח,עיר\nכהן ובניו שיפוצים,תל אביב\nלוי שמואל אינסטלציה,ירושלים\nיעקב מזרחי,באר שבע\n'
  test.each([
    ['windows-1255', iconv.encode(hebrew, 'windows-1255')],
    ['cp862', iconv.encode(hebrew, 'cp862')],
    ['utf-8', Buffer.from(hebrew)],
    ['utf-8', Buffer.from(`\ufeff${hebrew}`)],
    ['utf-16le', iconv.encode(hebrew, 'utf-16le', { addBOM: true })],
    ['utf-16be', iconv.encode(hebrew, 'utf-16be', { addBOM: true })],
    [
      'windows-1251',
      iconv.encode('Имя,Город\nИванов и сыновья,Хайфа\nПетров Сергей,Москва\n', 'windows-1251'),
    ],
    [
      'windows-1256',
      iconv.encode('الاسم,المدينة\nمحمد الأحمد للتجارة,الناصرة\nشركة البناء الحديث,رهط\n', 'windows-1256'),
    ],
    [
      'windows-1252',
      iconv.encode('nom,ville\nSociété générale élevée,Besançon\nFrançois Hébert,Orléans\n', 'windows-1252'),
    ],
  ])('%s is found by evidence', async (encoding, bytes) => {
    const shop = await newBusiness(world)
    const one = await upload(shop, 'customers', 'a.csv', bytes)
    expect(one.reading.encoding).toBe(encoding)
    expect(one.mapping).toEqual(['name', 'city'])
  })

  test('Hebrew stored as it is seen is turned, its figures are not', async () => {
    const shop = await newBusiness(world)
    const seen = (text: string) => [...text].reverse().join('')
    const lines = [
      'שם,כתובת',
      'אברהם לוין 21 בעמ,רחוב שלום 15',
      'גנים ופרחים,רחוב הרצל 7',
      'משה אהרון,שדרות בן גוריון 120',
    ]
    const visual = lines
      .map((line) =>
        line
          .split(',')
          .map((cell) => seen(cell).replace(/\d+/g, seen))
          .join(','),
      )
      .join('\n')
    const one = await upload(shop, 'customers', 'old.csv', iconv.encode(visual, 'iso-8859-8'), {
      encoding: 'iso-8859-8',
    })
    expect(one.reading).toMatchObject({ encoding: 'iso-8859-8', visual: true })
    expect(one.head.columns.map((c) => [c.title, c.samples[0]])).toEqual([
      ['שם', 'אברהם לוין 21 בעמ'],
      ['כתובת', 'רחוב שלום 15'],
    ])
  })

  test('a wrong one is changed without sending the file again; read as another, its rows are faulty', async () => {
    const shop = await newBusiness(world)
    const one = await upload(shop, 'customers', 'a.csv', iconv.encode(hebrew, 'windows-1255'), {
      encoding: 'utf-8',
    })
    await shop.call(calls.checkImport, { id: one.id, mapping: ['name', 'city'] })
    expect((await settle(shop, one.id)).counts).toEqual({ faulty: 3 })
    const again = await shop.call(calls.rereadImport, { id: one.id, reading: { encoding: 'windows-1255' } })
    expect(again).toMatchObject({ state: 'read', mapping: ['name', 'city'] })
    await shop.call(calls.checkImport, { id: one.id, mapping: again.mapping })
    expect((await settle(shop, one.id)).counts).toEqual({ create: 3 })
  })
})

test('own fields of customers are imported by their kind: number, text, choice', async () => {
  const shop = await newBusiness(world)
  const field = (name: string, kind: string, more: object = {}) =>
    shop.send<{ id: string }>('POST', '/api4/invoice/customerFields', { name, kind, ...more })
  const size = await field('מידה', 'number')
  const nick = await field('כינוי', 'text')
  const grade = await field('דרגה', 'choice', { choices: ['זהב', 'כסף'] })
  const one = await checked(shop, 'name,מידה,כינוי,דרגה\nדנה,42.5,007,זהב\nגיל,x,,\nרון,,,ארד')
  expect(one.counts).toEqual({ create: 1, faulty: 2 })
  await run(shop, one.id, 'good')
  expect((await customersOf(shop)).map(({ name, own }) => [name, own])).toEqual([
    ['דנה', { [size.id]: 42.5, [nick.id]: '007', [grade.id]: 'זהב' }],
  ])
})

test('a row that fits several records is refused at the field that matched them', async () => {
  const shop = await newBusiness(world)
  for (let n = 0; n < 2; n++) await shop.customer('כהן')
  const one = await checked(shop, 'name,city\nכהן,חיפה')
  const { rows } = await shop.call(calls.importRows, { id: one.id })
  expect(rows[0]!.faults).toMatchObject([{ field: 'name', code: 'imports.manyMatch' }])
})

describe('workbooks', () => {
  test('days, figures, per cents and formulas come as they are shown; titles above the heads are passed over', async () => {
    const shop = await newBusiness(world)
    const template = await shop.call(calls.importTemplate, { resource: 'customers' })
    expect((await readSheet(Buffer.from(template)))[0]).toContain('מסגרת אשראי')
    const bytes = workbook([
      '<row r="1"><c r="A1" t="inlineStr"><is><t>רשימת לקוחות</t></is></c></row>',
      '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="inlineStr"><is><t>מסגרת אשראי</t></is></c></row>',
      '<row r="4"><c r="A4" t="inlineStr"><is><t>=1+1 &amp; co</t></is></c><c r="B4"><v>521234567</v></c><c r="C4"><f>A1*2</f><v>1234.5000000000001</v></c></row>',
    ])
    const one = await checked(shop, bytes, { name: 'a.xlsx' })
    expect(one).toMatchObject({
      kind: 'xlsx',
      reading: { sheet: 'גיליון', headRow: 3 },
      mapping: ['name', 'phone', 'creditLimitAgorot'],
      counts: { create: 1 },
    })
    await run(shop, one.id)
    expect((await customersOf(shop))[0]).toMatchObject({
      name: '=1+1 & co',
      phone: '0521234567',
      creditLimitAgorot: 123_450,
    })
    // What a spreadsheet would run is harmless on its way out, and comes back as it was.
    const csv = (await shop.get('/api4/invoiceexport/customers?format=csv&columns=name')) as unknown as Buffer
    expect(csv.toString()).toContain("'=1+1 & co")
    expect((await checked(shop, csv)).counts).toEqual({ same: 1 })
  })

  test.each([
    ['the end of 1899', '<workbookPr/>', [46_000, 46_001, 46_002]],
    ['1904', '<workbookPr date1904="1"/>', [44_538, 44_539, 44_540]],
  ])(
    'a cell is a day by its format, counted from %s, and a per cent by its format',
    async (_, setting, days) => {
      const shop = await newBusiness(world)
      const cell = (place: string, style: number, value: number) =>
        `<c r="${place}" s="${style}"><v>${value}</v></c>`
      const parts = unzipSync(
        workbookOf(
          {
            sheet: [
              '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>',
              ...days.map(
                (day, n) =>
                  `<row r="${n + 2}"><c r="A${n + 2}" t="s"><v>${n + 3}</v></c>${cell(`B${n + 2}`, n + 1, day + n / 4)}${cell(`C${n + 2}`, n + 4, 0.25)}</row>`,
              ),
            ],
          },
          ['Name', 'Follow up date', 'Probability', 'A', 'B', 'C'],
        ),
      )
      parts['xl/workbook.xml'] = strToU8(
        strFromU8(parts['xl/workbook.xml']!).replace('<sheets>', `${setting}<sheets>`),
      )
      // A built-in day, two formats of the workbook itself, and two ways of a per cent; style 0 is general.
      parts['xl/styles.xml'] = strToU8(
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="&quot;%&quot;[$-40D]d mmm"/><numFmt numFmtId="166" formatCode="0.0%"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="9"/><xf numFmtId="10"/><xf numFmtId="166"/></cellXfs></styleSheet>',
      )
      const one = await checked(shop, zipSync(parts), { resource: 'leads', name: 'leads.xlsx' })
      expect(one).toMatchObject({ mapping: ['name', 'nextDay', 'chanceBp'], counts: { create: 3 } })
      await run(shop, one.id)
      const { rows } = await shop.get('/api4/invoice/leads?sort=name')
      expect(rows.map((row: Record<string, unknown>) => [row.name, row.nextDay, row.chanceBp])).toEqual([
        ['A', '2025-12-09', 2500],
        ['B', '2025-12-10', 2500],
        ['C', '2025-12-11', 2500],
      ])
    },
  )
})

describe('a name that says otherwise', () => {
  test('the content decides: a text called .xlsx is read as text, a workbook called .csv as a workbook', async () => {
    const shop = await newBusiness(world)
    const text = await checked(shop, iconv.encode('שם לקוח;עיר\nכהן;חיפה', 'windows-1255'), {
      name: 'customers.xlsx',
    })
    expect(text).toMatchObject({
      kind: 'text',
      reading: { encoding: 'windows-1255', delimiter: ';' },
      mapping: ['name', 'city'],
      counts: { create: 1 },
    })
    const bytes = workbook([
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>',
      '<row r="2"><c r="A2" t="inlineStr"><is><t>לוי</t></is></c><c r="B2"><v>521234567</v></c></row>',
    ])
    const book = await checked(shop, bytes, { name: 'customers.csv' })
    expect(book).toMatchObject({
      kind: 'xlsx',
      reading: { sheet: 'גיליון' },
      mapping: ['name', 'phone'],
      counts: { create: 1 },
    })
  })
})

describe('files that mean harm, or are broken', () => {
  let shop: Business
  beforeAll(async () => {
    shop = await newBusiness(world)
  })
  const refusal = (name: string, bytes: Uint8Array) =>
    upload(shop, 'customers', name, bytes).then(
      async (one) => {
        await shop.call(calls.checkImport, {
          id: one.id,
          mapping: one.mapping[0] === null ? ['name'] : one.mapping,
        })
        return (await settle(shop, one.id)).error?.code
      },
      (e: { code: string }) => e.code,
    )

  test.each<[string, string, () => Uint8Array]>([
    ['an old workbook', 'imports.oldExcel', () => Buffer.from('d0cf11e0a1b11ae1000000', 'hex')],
    [
      'a page with a table',
      'imports.page',
      () => Buffer.from('<html><table><tr><td>name</td></tr></table></html>'),
    ],
    ['a picture', 'imports.badType', () => Buffer.from('89504e470d0a1a0a', 'hex')],
    ['an empty file', 'imports.empty', () => Buffer.from('\n\n  \n')],
    ['a ZIP that is no workbook', 'imports.badType', () => zipSync({ 'a.txt': strToU8('x') })],
    [
      'half a workbook',
      'imports.broken',
      () => workbook(['<row r="1"><c r="A1" t="s"><v>0</v></c></row>']).subarray(0, 400),
    ],
    [
      'a workbook that unpacks without end',
      'imports.bomb',
      () => workbook(['<row r="1"><c r="A1" t="s"><v>0</v></c></row>', '<row></row>'.repeat(4_000_000)]),
    ],
    ['a document type of its own', 'imports.broken', () => workbook([], ['x<!DOCTYPE a [<!ENTITY b "c">]>'])],
    [
      'a quote that never closes',
      'imports.unclosed',
      () => Buffer.from(`name,city\nא,ב\n"ג,ד\n${'ה,ו\n'.repeat(2000)}`),
    ],
    ['empty bytes', 'imports.notText', () => Buffer.from(`name,city\n${'א,ב\n'.repeat(30_000)}ג\u0000,ד`)],
    [
      'a hundred thousand columns',
      'imports.tooManyColumns',
      () => Buffer.from(`name${',x'.repeat(100_000)}\nא`),
    ],
    ['a row without end', 'imports.tooWide', () => Buffer.from(`name\n${'א'.repeat(1_200_000)}`)],
    [
      'too many rows',
      'imports.tooManyRows',
      () => Buffer.from(`name\n${'א\n'.repeat(calls.maxImportRows + 2)}`),
    ],
  ])(
    '%s is refused, and nothing is left half done',
    async (name, code, make) => {
      expect(await refusal(`${name.slice(0, 20)}.csv`, make())).toBe(code)
      expect(await customersOf(shop)).toEqual([])
    },
    120_000,
  )

  test('a text cut in the middle of a sign: the row it hurts is faulty, the others are good', async () => {
    const text = Buffer.from('name,city\nאבן גבירול,חיפה\nביאליק,עכו')
    const one = await checked(shop, text.subarray(0, text.length - 1))
    expect(one.counts).toEqual({ create: 1, faulty: 1 })
    expect(
      (await shop.call(calls.importRows, { id: one.id })).rows.map((row) => [
        row.row,
        row.faults.map((f) => f.code),
      ]),
    ).toEqual([[3, ['imports.unreadable']]])
  })

  test('an upload that breaks off leaves nothing: no import, no piece of the file, nothing on the disk', async () => {
    const laid = () => readdirSync(tmpdir()).filter((name) => name.startsWith('pinkas-upload-'))
    const traces = async () =>
      (
        await asSystem(world.app.db, (tx) =>
          sql<{
            imports: number
            parts: number
          }>`select (select count(*)::int from imports) as imports, (select count(*)::int from import_parts)
              as parts`.execute(tx),
        )
      ).rows[0]
    const before = await traces()
    const kept = new Set(laid())
    await world.http.listen({ port: 0, host: '127.0.0.1' })
    const { port } = world.http.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write(
      [
        'POST /api4/invoice/import/customers?name=half.csv HTTP/1.1',
        'host: 127.0.0.1',
        `x-access-token: ${shop.token}`,
        'content-type: application/octet-stream',
        'content-length: 1000000',
        '',
        'name,city\nא,ב\n',
      ].join('\r\n'),
    )
    await expect.poll(() => laid().filter((name) => !kept.has(name)).length).toBe(1)
    const [mine] = laid().filter((name) => !kept.has(name))
    socket.destroy()
    await expect.poll(() => laid().includes(mine!)).toBe(false)
    expect(await traces()).toEqual(before)
  })

  test('heads that stand twice: the first is taken, the other may be chosen, a field cannot be chosen twice', async () => {
    const one = await upload(shop, 'customers', 'twice.csv', Buffer.from('name,name,city\nא,ב,ג'))
    expect(one.mapping).toEqual(['name', null, 'city'])
    await expect(
      shop.call(calls.checkImport, { id: one.id, mapping: ['name', 'name', null] }),
    ).rejects.toMatchObject({
      code: 'imports.twiceMapped',
    })
    // A field that customers do not have, or that cannot be imported.
    for (const wrong of ['shoeSize', 'companyId'])
      await expect(
        shop.call(calls.checkImport, { id: one.id, mapping: ['name', wrong, null] }),
      ).rejects.toMatchObject({ code: 'imports.unmapped' })
    await expect(
      shop.call(calls.checkImport, { id: one.id, mapping: [null, null, 'city'] }),
    ).rejects.toMatchObject({
      code: 'imports.unmapped',
    })
  })

  test('a million empty rows are passed over', async () => {
    const one = await checked(shop, `name,city\n${',\n'.repeat(1_000_000)}א,ב`)
    expect(one).toMatchObject({ state: 'checked', counts: { create: 1 } })
  }, 60_000)

  test('fifty megabytes and one byte are too large; fifty do not stand in memory', async () => {
    const row = `${'א'.repeat(50)},${'x'.repeat(300)}\n`
    const text = Buffer.from(
      `name,notes\n${row.repeat(Math.floor((calls.maxImportBytes - 100) / Buffer.byteLength(row)))}`,
    )
    expect(
      await upload(shop, 'customers', 'a.csv', Buffer.alloc(calls.maxImportBytes + 1, 0x61)).catch(
        (e: { code: string }) => e.code,
      ),
    ).toBe('kit.tooLarge')
    const before = process.memoryUsage().rss
    let most = before
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
    await upload(shop, 'customers', 'large.csv', text)
    clearInterval(watch)
    expect((most - before) / 1_048_576).toBeLessThan(100)
  }, 120_000)
})

describe('long work', () => {
  test('ends with its total: the rows that are added, changed or removed', async () => {
    const shop = await newBusiness(world)
    const progress = async (id: string) => {
      const { jobId } = await shop.call(calls.getImport, { id })
      const { kind, state, done, total } = await shop.call(getJob, { id: jobId! })
      return [kind, state, done, total]
    }
    const added = await checked(shop, `name,taxId\nא,${id9(77)}\nב,\nג,`)
    await run(shop, added.id, 'good')
    expect(await progress(added.id)).toEqual(['imports.run', 'done', 3, 3])
    const changed = await checked(shop, `name,taxId,city\nא,${id9(77)},חיפה`)
    expect(changed.counts).toEqual({ change: 1 })
    await run(shop, changed.id)
    expect(await progress(changed.id)).toEqual(['imports.run', 'done', 1, 1])
    await shop.call(calls.undoImport, { id: changed.id })
    await world.worker.drain()
    expect(await progress(changed.id)).toEqual(['imports.undo', 'done', 1, 1])
    await shop.call(calls.undoImport, { id: added.id })
    await world.worker.drain()
    expect(await progress(added.id)).toEqual(['imports.undo', 'done', 3, 3])
  })

  test('is seen while it runs, stopped by who started it, and goes on where it was when the process died', async () => {
    const shop = await newBusiness(world)
    const lines = Array.from({ length: 2600 }, (_, n) => `לקוח ${String(n).padStart(4, '0')}`)
    const one = await checked(shop, `name\n${lines.join('\n')}`)
    expect(one.counts).toEqual({ create: 2600 })
    const job = await shop.call(getJob, { id: one.jobId! })
    expect(job).toMatchObject({
      kind: 'imports.check',
      state: 'done',
      total: job.done,
      about: { name: 'file.csv' },
    })
    expect((await shop.call(listJobs, {})).rows.map((j) => j.id)).toEqual([job.id])

    // The process dies after its first steps: the database goes on refusing it, and the next run takes over.
    await shop.call(calls.runImport, { id: one.id, take: 'good' })
    const { jobId } = await shop.call(calls.getImport, { id: one.id })
    const working = world.worker.drain()
    const count = async () =>
      (
        await sql<{
          n: number
        }>`select count(*)::int as n from import_rows
          where import_id = ${one.id} and stamp is not null`.execute(world.app.db.kysely)
      ).rows[0]!.n
    while ((await count()) < 500) await new Promise((go) => setTimeout(go, 5))
    await sql`update jobs set runner = gen_random_uuid() where id = ${jobId}`.execute(world.app.db.kysely)
    await working
    const left = await count()
    expect(left % 500).toBe(0)
    expect(left).toBeLessThan(2600)
    expect((await shop.call(getJob, { id: jobId! })).state).toBe('running')
    await sql`update outbox set run_after = now() where payload->>'jobId' = ${jobId}`.execute(
      world.app.db.kysely,
    )
    await world.worker.drain()
    expect(await shop.call(calls.getImport, { id: one.id })).toMatchObject({
      state: 'done',
      counts: { create: 2600 },
    })
    expect((await shop.get('/api4/invoice/customers?size=10&page=1')).total).toBe(2600)
    await expect(shop.call(stopJob, { id: jobId! })).rejects.toMatchObject({ code: 'jobs.ended' })

    await shop.call(calls.undoImport, { id: one.id })
    const undoing = (await shop.call(calls.getImport, { id: one.id })).jobId!
    expect((await shop.call(stopJob, { id: undoing })).stopping).toBe(true)
    await world.worker.drain()
    expect((await shop.call(getJob, { id: undoing })).state).toBe('stopped')
    await shop.call(calls.undoImport, { id: one.id })
    expect(await settle(shop, one.id)).toMatchObject({
      state: 'undone',
      counts: { undone: 2600, refused: 0 },
    })
  }, 60_000)

  test('ten thousand customers come in as a whole, in one transaction', async () => {
    const shop = await newBusiness(world)
    const lines = Array.from(
      { length: 10_000 },
      (_, n) =>
        `לקוח מספר ${n},${id9(1000 + n)},c${n}@example.com,050-${String(1_000_000 + n)},חיפה,הרצל ${n},"1,000.00"`,
    )
    const text = `שם,ח.פ,דוא״ל,נייד,עיר,רחוב,מסגרת אשראי\n${lines.join('\n')}`
    const began = performance.now()
    const one = await checked(shop, text)
    const done = await run(shop, one.id)
    expect(done.counts).toEqual({ create: 10_000 })
    // And go as fast as they came: looking for each record's row among all rows took four times as long.
    const [from, longest] = [performance.now(), 2 * (performance.now() - began)]
    await shop.call(calls.undoImport, { id: one.id })
    await world.worker.drain()
    expect((await shop.call(calls.getImport, { id: one.id })).counts).toMatchObject({
      undone: 10_000,
      refused: 0,
    })
    expect(performance.now() - from).toBeLessThan(longest)
  }, 90_000)
})

describe('records that have a word for a name', () => {
  test('are known by it in any language, whoever asked last', async () => {
    const shop = await newBusiness(world)
    const english = await newBusiness(world, { language: 'en' as never })
    type Kind = { name: string; accountId: string }
    const kindsOf = async (of: Business): Promise<Kind[]> =>
      (await of.get('/api4/invoice/expensetypes?size=50')).rows.slice(0, 5)
    const named = await kindsOf(shop)
    const inEnglish = await kindsOf(english)
    expect(inEnglish[0]!.name).not.toBe(named[0]!.name)
    // The names of one language beside the accounts of one business.
    const file = (words: Kind[], of: Kind[]) =>
      `name,accountId\n${words.map(({ name }, i) => `"${name}",${of[i]!.accountId}`).join('\n')}`
    const resource = 'expensetypes'
    // Each business its own file, then each the other's: nothing is created twice.
    expect((await checked(shop, file(named, named), { resource })).counts).toEqual({ same: 5 })
    expect((await checked(english, file(inEnglish, inEnglish), { resource })).counts).toEqual({ same: 5 })
    expect((await checked(english, file(named, inEnglish), { resource })).counts).toEqual({ same: 5 })
    expect((await checked(shop, file(inEnglish, named), { resource })).counts).toEqual({ same: 5 })
    // What refers to one may name it in any language too.
    const rules = `name,contains,typeId\nא,דלק,"${named[0]!.name}"\nב,fuel,"${inEnglish[0]!.name}"`
    expect((await checked(english, rules, { resource: 'codingrules' })).counts).toEqual({ create: 2 })
  })
})

test('whoever may not see figures sees none of a file, its rows and its faults', async () => {
  const shop = await newBusiness(world)
  const one = await checked(shop, 'שם לקוח,מסגרת אשראי,מה\nא,7777.77,8888.88\nב,7777x,8888.88')
  const { companyId } = await shop.get('/api/user/session')
  await asSystem(world.app.db, (tx) =>
    sql`update memberships set hide_total_prices = true where company_id = ${companyId}`.execute(tx),
  )
  const told = [await shop.call(calls.getImport, { id: one.id })]
  for (const outcome of ['create', 'faulty'] as const)
    told.push((await shop.call(calls.importRows, { id: one.id, outcome })) as never)
  expect(JSON.stringify(told)).not.toMatch(/7,?777|8,?888/)
  expect(JSON.stringify(told)).toContain('מסגרת אשראי')
  await expect(shop.call(calls.importFaults, { id: one.id })).rejects.toMatchObject({ status: 403 })
})

test('a file knows a customer by his own key first, then by his number', async () => {
  const shop = await newBusiness(world)
  await shop.customer('א', { customKey: 'A', taxId: id9(901) })
  await shop.customer('ב', { taxId: id9(902) })
  const heads = 'customKey,taxId,name,city'
  // The number belongs to another now, the key identifies the record; the second gets its key by its number; the third
  // is new.
  const file = `${heads}\nA,${id9(903)},א,חיפה\nB,${id9(902)},ב,עכו\nC,,ג,לוד`
  expect((await checked(shop, file)).counts).toEqual({ change: 2, create: 1 })
  // A number that belongs to a record with another key does not identify it.
  expect((await checked(shop, `${heads}\nZ,${id9(901)},ד,יפו`)).counts).toEqual({ faulty: 1 })
})

test('the days of a price are known by the words lists use for them', async () => {
  const shop = await newBusiness(world)
  await shop.send('POST', '/api4/invoice/items', { name: 'ברז', sku: 'B1', price: '10' })
  await shop.send('POST', '/api4/invoice/priceLists', { name: 'סיטונאי', currency: 'ILS' })
  const text = 'מחירון,פריט,מכמות,מחיר,מתאריך,עד תאריך\nסיטונאי,B1,10,9.5,01/01/2026,31/12/2026'
  const one = await checked(shop, text, { resource: 'priceListLines' })
  expect(one.mapping).toEqual(['listId', 'itemId', 'fromQuantity', 'price', 'validFrom', 'validTo'])
  expect(one.counts).toEqual({ create: 1 })
})

test('terms of payment come as people write them, and go out so', async () => {
  const shop = await newBusiness(world)
  for (const [resource, language] of [
    ['customers', 'שפת המסמכים'],
    ['suppliers', 'שפת ההתכתבות'],
  ] as const) {
    const text = `שם,תנאי תשלום,${language}\nא,שוטף + 30,רוסית\nב,net 14,\nג,מיידי,\nד,לפי הסכם,`
    const one = await checked(shop, text, { resource })
    expect(one.counts).toEqual({ create: 3, faulty: 1 })
    const { rows } = await shop.call(calls.importRows, { id: one.id, outcome: 'faulty' })
    expect(rows.map(({ row, faults }) => [row, faults[0]!.field, faults[0]!.code])).toEqual([
      [5, 'dueTerms', 'fields.choice'],
    ])
    await run(shop, one.id, 'good')
    const terms = (await shop.get(`/api4/invoice/${resource}?size=10&sort=name`)).rows.map(
      (r: { dueTerms: string }) => r.dueTerms,
    )
    expect(terms).toEqual(['eom:30', 'net:14', 'now'])
    const file = (
      await shop.get<Buffer>(
        `/api4/invoiceexport/${resource}?format=csv&sort=name&columns=name,dueTerms,language`,
      )
    ).toString()
    expect(file.split('\r\n').slice(1, 4)).toEqual([
      'א,שוטף + 30,רוסית',
      'ב,14 ימים מתאריך המסמך,עברית',
      'ג,תשלום מיידי,עברית',
    ])
    // The same file again says nothing new.
    expect((await checked(shop, text, { resource })).counts).toEqual({ same: 3, faulty: 1 })
  }
})

describe('what is refused', () => {
  test('a workbook that is locked with a password, and a sheet that is not there', async () => {
    const shop = await newBusiness(world)
    const locked = zipSync({ EncryptedPackage: strToU8('x'), 'xl/workbook.xml': strToU8('<x/>') })
    await expect(upload(shop, 'customers', 'a.xlsx', locked)).rejects.toMatchObject({
      status: 422,
      code: 'imports.locked',
    })
    const plain = workbook([
      '<row r="1"><c t="s"><v>0</v></c></row>',
      '<row r="2"><c t="s"><v>1</v></c></row>',
    ])
    await expect(upload(shop, 'customers', 'a.xlsx', plain, { sheet: 'אחר' })).rejects.toMatchObject({
      status: 422,
      code: 'imports.noSheet',
    })
  })

  test('a file whose rows are gone', async () => {
    const shop = await newBusiness(world)
    const one = await checked(shop, 'name\nכהן')
    await world.app.db.pool.query('delete from import_parts where import_id = $1', [one.id])
    await expect(
      shop.call(calls.checkImport, { id: one.id, mapping: one.mapping, options: {} }),
    ).rejects.toMatchObject({ status: 410, code: 'imports.gone' })
  })

  test('rows that fitted when they were checked and do not any more, where all or none was asked for', async () => {
    const shop = await newBusiness(world)
    const one = await checked(
      shop,
      ['customKey,taxId,name', `K1,${id9(931)},כהן`, `K2,${id9(932)},לוי`].join('\n'),
      { options: { matchBy: 'customKey' } },
    )
    await shop.customer('קודם', { customKey: 'K9', taxId: id9(932) })
    const { jobId } = (await shop.call(calls.runImport, { id: one.id, take: 'all' })) as { jobId: string }
    await world.worker.drain()
    expect(await shop.call(getJob, { id: jobId })).toMatchObject({
      state: 'failed',
      error: { code: 'imports.changedSince' },
    })
    expect((await customersOf(shop)).map(({ name }) => name)).toEqual(['קודם'])
  })
})
