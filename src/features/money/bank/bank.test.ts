import iconv from 'iconv-lite'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { bankDesk, bookLine, matchBank } from '#features/money/matching/endpoints.ts'
import * as calls from './endpoints.ts'
import type { WholeStatement } from './endpoints.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const account = async (
  of: Business,
  values: Record<string, unknown> = {},
): Promise<{ id: string; accountIdName: string }> =>
  of.send('POST', '/api4/invoice/bankaccounts', {
    name: 'עו״ש',
    bankCode: 12,
    branch: '600',
    number: '123456',
    ...values,
  })
const upload = (of: Business, id: string, bytes: Uint8Array | string, name = 'file.csv') =>
  of.call(calls.uploadStatement, {
    id,
    name,
    bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
  } as never) as Promise<WholeStatement>
const take = async (of: Business, id: string, bytes: Uint8Array | string) =>
  of.call(calls.takeStatement, { id: (await upload(of, id, bytes)).id })
const linesOf = async (of: Business, id: string) =>
  (await of.get(`/api4/invoice/banklines?bankAccountId=${id}&size=200&sort=day`)).rows as {
    day: string
    amountAgorot: number
    text: string
    state: string
  }[]

const head = 'תאריך,תיאור,אסמכתא,חובה,זכות,יתרה'
const first = [
  head,
  '01/02/2026,עמלה,17,5.00,,995.00',
  '01/02/2026,עמלה,17,5.00,,990.00',
  '03/02/2026,כהן ובניו,1001,,"1,180.00","2,170.00"',
].join('\n')
const second = [
  head,
  '01/02/2026,עמלה,17,5.00,,990.00',
  '03/02/2026,כהן ובניו,1001,,"1,180.00","2,170.00"',
  '04/02/2026,שכירות,88,170.00,,"2,000.00"',
].join('\n')

describe('an account of the bank', () => {
  test('stands on the ordinary bank account of the books unless another is chosen; what cannot hold money at a bank is refused', async () => {
    const shop = await newBusiness(world)
    expect((await account(shop)).accountIdName).toBe('בנק')
    const chart = (await shop.get('/api5/invoicecpa/accounts?size=200')).rows as {
      id: string
      number: string
    }[]
    const id = (number: string) => chart.find((one) => one.number === number)!.id
    expect((await account(shop, { number: '2', accountId: id('1015') })).accountIdName).toBe('בנק מט״ח')
    for (const number of ['4000', '1000', '1100'])
      await expect(account(shop, { number: '3', accountId: id(number) })).rejects.toMatchObject({
        errors: [{ path: 'accountId', code: 'bank.accountKind' }],
      })
    await expect(account(shop, { bankCode: 98 })).rejects.toMatchObject({ errors: [{ path: 'bankCode' }] })
    await expect(account(shop, { number: 'x1' })).rejects.toMatchObject({ errors: [{ path: 'number' }] })
    await expect(account(shop, { number: '4', branch: 'א' })).rejects.toMatchObject({
      errors: [{ path: 'branch', code: 'fields.code' }],
    })
    // Two currencies on one account of the books could not be told apart.
    await expect(
      account(shop, { number: '6', currency: 'EUR', accountId: id('1015') }),
    ).rejects.toMatchObject({
      errors: [{ path: 'accountId', code: 'bank.mixedCurrency' }],
    })
  })

  test('keeps its currency once it has lines, and its account of the books once one is matched', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    const chart = (await shop.get('/api5/invoicecpa/accounts?size=200')).rows as {
      id: string
      number: string
    }[]
    const number = (wanted: string) => chart.find((one) => one.number === wanted)!.id
    const change = (values: object) => shop.send('PATCH', `/api4/invoice/bankaccounts/${id}`, values)
    const booksOf = async () => (await shop.get(`/api4/invoice/bankaccounts/${id}`)).accountId
    // Nothing there yet: both may change.
    await change({ accountId: number('2500'), currency: 'USD' })
    await change({ accountId: number('1010'), currency: 'ILS' })
    await take(shop, id, first)
    await expect(change({ currency: 'USD' })).rejects.toMatchObject({
      errors: [{ path: 'currency', code: 'bank.hasLines' }],
    })
    await change({ accountId: number('2500') })
    expect(await booksOf()).toBe(number('2500'))
    const line = (await shop.get(`/api4/invoice/banklines?bankAccountId=${id}&size=200&sort=day`)).rows[0]
    await shop.call(bookLine, { id, lineId: line.id, deed: 'fee' } as never)
    await expect(change({ accountId: number('1010') })).rejects.toMatchObject({
      errors: [{ path: 'accountId', code: 'bank.accountUsed' }],
    })
    expect(await booksOf()).toBe(number('2500'))
    // What moves neither may be changed.
    await change({ name: 'עו״ש עסקי', currency: 'ILS', accountId: number('2500') })
  })
})

describe('a statement', () => {
  test('is looked at, brought in, and brings no line twice when the next one overlaps', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    const seen = await upload(shop, id, first)
    expect(seen).toMatchObject({
      complete: true,
      counts: { new: 3, known: 0, suspect: 0 },
      openingAgorot: 100_000,
      closingAgorot: 217_000,
      mismatches: 0,
      faults: [],
    })
    expect(await linesOf(shop, id)).toEqual([])
    await shop.call(calls.takeStatement, { id: seen.id })
    await expect(shop.call(calls.takeStatement, { id: seen.id })).rejects.toMatchObject({
      code: 'bank.wrongState',
    })
    expect((await linesOf(shop, id)).map((l) => l.amountAgorot)).toEqual([-500, -500, 118_000])

    await expect(take(shop, id, first)).rejects.toMatchObject({ code: 'bank.nothingNew' })
    const next = await take(shop, id, second)
    expect(next).toMatchObject({ state: 'taken', taken: 1, known: 2, gapAgorot: 0 })
    expect((await linesOf(shop, id)).map((l) => l.amountAgorot)).toEqual([-500, -500, 118_000, -17_000])
    const row = await shop.get(`/api4/invoice/bankaccounts/${id}`)
    expect(row).toMatchObject({
      balanceAgorot: 200_000,
      balanceDay: '2026-02-04',
      openLines: 4,
      ledgerAgorot: 0,
    })
  })

  test('stands at its last balance and what came after by files that tell none', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    const stands = async () => (await shop.call(bankDesk, { id })).bankAgorot
    expect(await stands()).toBeNull()
    await take(shop, id, 'date,description,amount\n2026-01-05,x,7')
    expect(await stands()).toBe(700)
    await take(shop, id, first)
    expect(await stands()).toBe(217_000)
    await take(shop, id, 'date,description,amount\n2026-02-03,after,10\n2026-02-05,later,-3')
    expect(await stands()).toBe(217_700)
  })

  test('two at the same time bring no line twice either', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    const files = await Promise.all([
      upload(shop, id, first),
      upload(shop, id, first),
      upload(shop, id, second),
    ])
    await Promise.allSettled(files.map((file) => shop.call(calls.takeStatement, { id: file.id })))
    expect((await linesOf(shop, id)).map((l) => l.amountAgorot)).toEqual([-500, -500, 118_000, -17_000])
  })

  test('a gap to what was before, and a balance that does not follow, are told', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    await take(shop, id, first)
    const later = await upload(
      shop,
      id,
      `${head}\n10/02/2026,א,1,,100.00,"5,000.00"\n11/02/2026,ב,2,,1.00,"5,002.00"`,
    )
    // 4,900 stood there before; 2,170 is what was known.
    expect(later).toMatchObject({ gapAgorot: 273_000, mismatches: 1 })
    expect(later.lines.map((line) => line.mismatch)).toEqual([false, true])
  })

  test('goes back whole', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    const one = await take(shop, id, first)
    expect(await shop.call(calls.undoStatement, { id: one.id })).toMatchObject({ state: 'undone' })
    expect(await linesOf(shop, id)).toEqual([])
    await expect(shop.call(calls.undoStatement, { id: one.id })).rejects.toMatchObject({
      code: 'bank.wrongState',
    })
    expect(await take(shop, id, first)).toMatchObject({ taken: 3 })
  })

  test('what the columns are is said once', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    const odd = (day: string) => `a,b,c\n${day},100.50,שכר`
    const one = await upload(shop, id, odd('2026-02-01'))
    expect(one).toMatchObject({ complete: false, remembered: false, lines: [] })
    await expect(shop.call(calls.takeStatement, { id: one.id })).rejects.toMatchObject({
      code: 'bank.unmapped',
    })
    await expect(
      shop.call(calls.mapStatement, { id: one.id, mapping: ['day', 'text', 'text'] }),
    ).rejects.toMatchObject({
      errors: [{ code: 'fields.taken' }],
    })
    expect(
      await shop.call(calls.mapStatement, { id: one.id, mapping: ['day', 'amount', 'text'] }),
    ).toMatchObject({
      complete: true,
      counts: { new: 1 },
    })
    expect(await upload(shop, id, odd('2026-02-02'))).toMatchObject({
      complete: true,
      remembered: true,
      counts: { new: 1 },
    })
  })

  test('a table without heads loses no line, one under titles has all its columns, and both are remembered', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    const bare = (day: string) => `${day},עמלה,17,-5.00,995.00\n${day},כהן,1001,100.00,"1,095.00"`
    const one = await upload(shop, id, bare('01/02/2026'))
    expect(one).toMatchObject({
      complete: false,
      columns: [{ title: '', samples: ['01/02/2026', '01/02/2026'] }, {}, {}, {}, {}],
    })
    const mapping = ['day', 'text', 'reference', 'amount', 'balance'] as const
    const mapped = await shop.call(calls.mapStatement, { id: one.id, mapping: [...mapping] })
    expect(mapped).toMatchObject({ counts: { new: 2 }, openingAgorot: 100_000, closingAgorot: 109_500 })
    expect(await upload(shop, id, bare('01/03/2026'))).toMatchObject({
      remembered: true,
      complete: true,
      counts: { new: 2 },
    })

    const titled = await upload(
      shop,
      id,
      `דף חשבון\n\nיום עסקים,מלל,סימוכין,יצא,נכנס\n01/04/2026,עמלה,17,5.00,\n02/04/2026,כהן,18,,1x`,
    )
    expect(titled.columns.map((column) => column.title)).toEqual([
      'יום עסקים',
      'מלל',
      'סימוכין',
      'יצא',
      'נכנס',
    ])
    const told = await shop.call(calls.mapStatement, {
      id: titled.id,
      mapping: ['day', 'text', 'reference', 'debit', 'credit'],
    })
    // The row is the one a person counts in the file.
    expect(told).toMatchObject({ counts: { new: 1 }, faults: [{ row: 5, code: 'badSum', value: '1x' }] })
  })

  test('of a file with several accounts ours alone is taken; a line that cannot be read is told', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    const page = (number: string, sum: string) =>
      [
        ':20:X',
        `:25:12-600-${number}`,
        ':60F:C260131ILS100,00',
        `:61:260201D${sum},NCHG1`,
        ':61:soon',
        '-',
      ].join('\n')
    const seen = await upload(shop, id, [page('999999', '7'), page('123456', '5')].join('\n'))
    expect(seen).toMatchObject({
      counts: { new: 1 },
      lines: [{ amountAgorot: -500 }],
      otherAccount: null,
      faults: [{ row: 11, code: 'badLine', value: 'soon' }],
    })
    await expect(
      upload(shop, id, [page('999999', '7'), page('888888', '5')].join('\n')),
    ).rejects.toMatchObject({
      code: 'bank.severalAccounts',
    })
    const ofx = (number: string, sum: string) =>
      `<STMTRS><CURDEF>ILS<ACCTID>${number}<STMTTRN><DTPOSTED>20260301<TRNAMT>${sum}<NAME>x</STMTTRN><STMTTRN><TRNAMT>9</STMTTRN></STMTRS>`
    expect(
      await upload(shop, id, `<OFX>${ofx('600-999999', '-7')}${ofx('600-123456', '-5')}</OFX>`),
    ).toMatchObject({
      lines: [{ amountAgorot: -500 }],
      faults: [{ code: 'badLine' }],
    })
  })

  test('Hebrew as it is seen is turned by its heads, and in files of lines by its letters', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    const seen = (text: string) => [...text].reverse().join('')
    const heads = ['תאריך', 'תיאור', 'חובה', 'זכות']
    const short = `${heads.map(seen).join(',')}\n01/02/2026,${seen('עמלה')},5.00,`
    expect(await upload(shop, id, iconv.encode(short, 'cp862'))).toMatchObject({
      complete: true,
      lines: [{ text: 'עמלה', amountAgorot: -500 }],
    })
    const texts = ['העברה מאת כהן ובנים', 'שכר עבודה לוין']
    const mt = [':20:X', ':25:12-600-123456', ':60F:C260131ILS100,00']
    for (const text of texts) mt.push(':61:260201D5,NCHG1', `:86:${seen(text)}`)
    expect(
      (await upload(shop, id, iconv.encode(mt.join('\n'), 'cp862'))).lines.map((line) => line.text),
    ).toEqual(texts)
  })

  test('a workbook is read where its table stands', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    expect(await upload(shop, id, workbook('דוח תנועות', first))).toMatchObject({
      complete: true,
      counts: { new: 3 },
    })
  })

  test('bytes that are no text in their encoding are refused, not replaced', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    const broken = Buffer.concat([
      Buffer.from(first),
      Buffer.alloc(70_000, '01/02/2026,אבג,1.00,\n'),
      iconv.encode('שלום', 'windows-1255'),
    ])
    await expect(upload(shop, id, broken)).rejects.toMatchObject({ code: 'http.badText' })
  })

  test('what nothing in a file proves is said; balances prove it', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    expect(await upload(shop, id, 'תאריך,תיאור,סכום\n01/02/2026,קפה,-12.50\n')).toMatchObject({
      complete: true,
      proven: false,
      leftOut: [],
    })
    expect(await upload(shop, id, first)).toMatchObject({ proven: true })
  })

  test('OFX is read in the code page that it declares', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    const ofx = (charset: string, name: string) =>
      `OFXHEADER:100\nCHARSET:${charset}\n\n<OFX><STMTRS><STMTTRN><DTPOSTED>20260105<TRNAMT>-5.00<NAME>${name}</STMTTRN></STMTRS></OFX>`
    const nameOf = async (bytes: Uint8Array) => (await upload(shop, id, bytes)).lines[0]!.text
    expect(await nameOf(iconv.encode(ofx('1252', 'Café de Flore'), 'windows-1252'))).toBe('Café de Flore')
    expect(await nameOf(iconv.encode(ofx('1255', 'שופרסל'), 'windows-1255'))).toBe('שופרסל')
    expect(await nameOf(iconv.encode(ofx('1252', 'שופרסל'), 'windows-1255'))).toBe('שופרסל')
    expect(await nameOf(Buffer.from(ofx('1252', 'Café שופרסל')))).toBe('Café שופרסל')
  })

  test.each([
    ['Windows-1255', iconv.encode(first, 'windows-1255')],
    ['UTF-16', iconv.encode(first, 'utf16')],
    ['UTF-8 with its mark', iconv.encode(first, 'utf8', { addBOM: true })],
    ['CP862', iconv.encode(first, 'cp862')],
    [
      'a page called .xls',
      Buffer.from(
        `<html><meta charset="utf-8"><table>${first
          .replaceAll('"1,180.00"', '1180')
          .replaceAll('"2,170.00"', '2170')
          .split('\n')
          .map(
            (row) =>
              `<tr>${row
                .split(',')
                .map((cell) => `<td>${cell}</td>`)
                .join('')}</tr>`,
          )
          .join('')}</table></html>`,
      ),
    ],
    ['a workbook', workbook(first)],
  ])('in %s', async (_name, bytes) => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    expect(await upload(shop, id, bytes)).toMatchObject({
      counts: { new: 3 },
      closingAgorot: 217_000,
      lines: [{ text: 'עמלה' }, {}, { text: 'כהן ובניו' }],
    })
  })

  test('the same month from another file of the bank brings nothing', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    await take(shop, id, first)
    const mt = [
      ':20:X',
      ':25:12-600-123456',
      ':28C:1',
      ':60F:C260131ILS1000,00',
      ':61:2602010201D5,NCHG17',
      ':86:FEE',
      ':61:2602010201D5,NCHG17',
      ':86:FEE',
      ':61:2602030203C1180,NTRF1001',
      ':86:COHEN',
      ':62F:C260203ILS2170,00',
    ].join('\r\n')
    expect(await upload(shop, id, mt)).toMatchObject({
      kind: 'mt940',
      counts: { new: 0, known: 3 },
      otherAccount: null,
    })
    expect(await upload(shop, id, mt.replace('12-600-123456', '12-600-999999'))).toMatchObject({
      otherAccount: '12-600-999999',
    })
    const ofx = `<OFX><STMTRS><CURDEF>USD<ACCTID>1<STMTTRN><DTPOSTED>20260201<TRNAMT>-5<NAME>x</STMTRS></OFX>`
    await expect(upload(shop, id, ofx)).rejects.toMatchObject({ code: 'bank.otherCurrency' })
    // Worded otherwise and without a reference: it is asked about, and left out until somebody says so.
    const bare = ofx.replace('USD', 'ILS')
    const seen = await upload(shop, id, bare)
    expect(seen.counts).toEqual({ new: 0, known: 0, suspect: 1 })
    expect(await shop.call(calls.takeStatement, { id: seen.id, suspects: true })).toMatchObject({ taken: 1 })
  })

  test('lines say the currency of their account, so that no sum in dollars stands as shekels', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop, { currency: 'USD' })
    await take(shop, id, first)
    const { rows } = await shop.get(`/api4/invoice/banklines?bankAccountId=${id}`)
    expect(rows.map((row: { currency: string }) => row.currency)).toEqual(['USD', 'USD', 'USD'])
  })

  test('what is no statement is refused by its content', async () => {
    const shop = await newBusiness(world)
    const { id } = await account(shop)
    const refused = (bytes: Uint8Array | string) =>
      upload(shop, id, bytes).then(
        () => 'taken',
        (e: { code: string }) => e.code,
      )
    expect(await refused(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toBe('imports.oldExcel')
    expect(await refused('%PDF-1.7')).toBe('imports.badType')
    expect(await refused('')).toBe('bank.empty')
    expect(await refused(`${head}\n`)).toBe('bank.empty')
    expect(await refused('שלום רב,\nמצורף החשבון.')).toBe('bank.notAStatement')
    expect(await refused(Buffer.from([1, 0, 2, 3, 0, 0, 0, 9]))).toBe('bank.notAStatement')
    expect(await refused(zipSync({ 'x.txt': strToU8('x') }))).toBe('imports.badType')
  })

  test('rights and walls', async () => {
    const [shop, stranger] = [await newBusiness(world), await newBusiness(world)]
    const { id } = await account(shop)
    const one = await upload(shop, id, first)
    await expect(upload(stranger, id, first)).rejects.toMatchObject({ status: 404 })
    await expect(stranger.call(calls.takeStatement, { id: one.id })).rejects.toMatchObject({ status: 404 })
    const me = await shop.get('/api/user/session')
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set docs_allow = '{10}' where company_id = ${me.companyId}`.execute(tx),
    )
    await expect(shop.call(calls.getStatement, { id: one.id })).rejects.toMatchObject({ status: 403 })
    expect((await shop.get('/api4/invoice/bankaccounts')).rows).toEqual([])
  })
})

/** The smallest workbook with the rows of CSV texts as strings, a sheet of each. */
function workbook(...texts: string[]): Uint8Array {
  const cells = (row: string) =>
    [...row.matchAll(/"([^"]*)"|([^,]+)|(?<=,)(?=,|$)/g)].map((m) => m[1] ?? m[2] ?? '')
  const rows = (csv: string) =>
    csv
      .split('\n')
      .map(
        (row, r) =>
          `<row r="${r + 1}">${cells(row)
            .map(
              (cell, c) =>
                `<c r="${String.fromCharCode(65 + c)}${r + 1}" t="inlineStr"><is><t>${cell}</t></is></c>`,
            )
            .join('')}</row>`,
      )
      .join('')
  const each = (of: (text: string, i: number) => string) => texts.map(of).join('')
  return zipSync({
    'xl/workbook.xml': strToU8(
      `<workbook xmlns:r="r"><sheets>${each((_, i) => `<sheet name="x${i}" r:id="a${i}"/>`)}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships>${each((_, i) => `<Relationship Id="a${i}" Target="worksheets/sheet${i}.xml"/>`)}</Relationships>`,
    ),
    ...Object.fromEntries(
      texts.map((text, i) => [
        `xl/worksheets/sheet${i}.xml`,
        strToU8(`<worksheet><sheetData>${rows(text)}</sheetData></worksheet>`),
      ]),
    ),
  })
}

test('an account with lines keeps its currency, and one that was matched its account of the books', async () => {
  const shop = await newBusiness(world)
  const { id } = await account(shop)
  const chart = (await shop.get('/api5/invoicecpa/accounts?size=200')).rows as {
    id: string
    number: string
  }[]
  const accountId = chart.find((one) => one.number === '1015')!.id
  const change = (values: object) => shop.send('PATCH', `/api4/invoice/bankaccounts/${id}`, values)
  await take(shop, id, 'date,description,amount\n2026-01-05,in,7\n2026-01-06,out,-7')
  await expect(change({ currency: 'USD', accountId })).rejects.toMatchObject({
    status: 422,
    errors: [{ path: 'currency', code: 'bank.hasLines' }],
  })
  // Lines alone do not hold it.
  await change({ accountId })
  const { lines } = await shop.call(bankDesk, { id })
  await shop.call(matchBank, { id, lines: lines.map((line) => line.id) })
  const other = chart.find((one) => one.number === '1010')!.id
  await expect(change({ accountId: other })).rejects.toMatchObject({
    status: 422,
    errors: [{ path: 'accountId', code: 'bank.accountUsed' }],
  })
})
