import { describe, expect, test } from 'vitest'
import { noveltyOf, occurrences } from './known.ts'
import { isMt940, readMt940 } from './mt940.ts'
import { isOfx, readOfx } from './ofx.ts'
import { isPage, pageRows } from './page.ts'
import { checkBalances, inOrder, type StatementLine } from './statement.ts'
import { columnsOf, headRowOf, placeOfHeads, readTable } from './table.ts'

const line = (day: string, amount: number, more: Partial<StatementLine> = {}): StatementLine => ({
  day,
  valueDay: null,
  amount,
  text: 'x',
  details: '',
  reference: '',
  balance: null,
  ...more,
})

describe('the heads of banks', () => {
  test.each([
    [
      'Leumi',
      ['תאריך', 'תאריך ערך', 'תיאור', 'אסמכתא', 'בחובה', 'בזכות', 'היתרה בש"ח', 'תאור מורחב', 'הערה'],
      ['day', 'valueDay', 'text', 'reference', 'debit', 'credit', 'balance', 'details', 'details'],
    ],
    [
      'Hapoalim',
      ['תאריך', 'הפעולה', 'פרטים', 'אסמכתא', 'חובה', 'זכות', 'יתרה בש״ח', 'תאריך ערך', 'לטובת', 'עבור'],
      ['day', 'text', 'details', 'reference', 'debit', 'credit', 'balance', 'valueDay', 'details', 'details'],
    ],
    [
      'Discount',
      ['תאריך', 'יום ערך', 'תיאור התנועה', '₪ זכות/חובה ', '₪ יתרה ', 'אסמכתה', 'עמלה', 'ערוץ ביצוע'],
      ['day', 'valueDay', 'text', 'amount', 'balance', 'reference', null, null],
    ],
    [
      'Mizrahi',
      ['תאריך', 'סוג תנועה', 'זכות', 'חובה', 'יתרה בש"ח', 'אסמכתא'],
      ['day', 'text', 'credit', 'debit', 'balance', 'reference'],
    ],
    [
      'FIBI',
      ['תאריך', 'אסמכתא', 'תאור', 'זכות', 'חובה', 'תאריך ערך', 'יתרה'],
      ['day', 'reference', 'text', 'credit', 'debit', 'valueDay', 'balance'],
    ],
    [
      'a kind and a description',
      ['תאריך', 'סוג פעולה', 'תיאור', 'אסמכתא', 'זכות', 'חובה', 'תאריך ערך', 'יתרה'],
      ['day', 'text', 'details', 'reference', 'credit', 'debit', 'valueDay', 'balance'],
    ],
    [
      'English',
      ['Date', 'Description', 'Reference', 'Withdrawals', 'Deposits', 'Running balance'],
      ['day', 'text', 'reference', 'debit', 'credit', 'balance'],
    ],
  ])('%s', (_bank, heads, columns) => expect(columnsOf(heads)).toEqual(columns))

  test('titles stand above them', () => {
    expect(
      headRowOf([
        ['תנועות בחשבון'],
        ['חשבון 12-345', 'תאריך הפקה 01/02/2026'],
        [],
        ['תאריך', 'תיאור', 'חובה', 'זכות'],
      ]),
    ).toBe(3)
    expect(headRowOf([['a', 'b']])).toBe(-1)
  })

  test('are where the first line begins when nobody knows their words; a letter has none', () => {
    const [titles, heads, line] = [['דף חשבון'], ['יום עסקים', 'מלל', 'יצא'], ['01/02/2026', 'עמלה', '5.00']]
    expect(placeOfHeads([titles, heads, line])).toBe(1)
    expect(placeOfHeads([line, line])).toBe(-1)
    expect(placeOfHeads([titles, line])).toBe(-1)
    expect(placeOfHeads([['שלום רב'], ['מצורף החשבון', '']])).toBeUndefined()
  })
})

describe('a table', () => {
  const read = (heads: string[], ...rows: string[][]) => readTable(rows, columnsOf(heads))

  test('two columns; empty, dashes and totals are no lines', () => {
    const { lines, faults } = read(
      ['תאריך', 'תיאור', 'אסמכתא', 'חובה', 'זכות', 'יתרה'],
      ['31/01/26', 'יתרת פתיחה', '', '', '', '1,000.00'],
      ['01/02/2026', 'עמלת\u00a0 ניהול', '00123', '12.50', '-', '987.50'],
      ['1.2.26', '\u200fהעברה', '7', '', '₪ 1,234.50', '2,222.00'],
      ['', 'סה"כ', '', '12.50', '1,234.50', ''],
    )
    expect(faults).toEqual([])
    expect(lines.map((l) => [l.day, l.amount, l.text, l.reference, l.balance])).toEqual([
      ['2026-02-01', -1_250, 'עמלת ניהול', '00123', 98_750],
      ['2026-02-01', 123_450, 'העברה', '7', 222_200],
    ])
  })

  test('totals and balances that bear a day or stand in its place are no lines either; money that is called so is', () => {
    const { lines, faults } = read(
      ['תאריך', 'תיאור', 'חובה', 'זכות', 'יתרה'],
      ['01/02/2026', 'יתרת פתיחה', '', '1,000.00', '1,000.00'],
      ['01/02/2026', 'עמלה', '5.00', '', '995.00'],
      ['02/02/2026', 'סה"כ ציוד משרדי', '10.00', '', '985.00'],
      ['02/02/2026', 'יתרת פתיחה לחשבון', '', '7.00', '992.00'],
      ['סה"כ', '', '15.00', '1,007.00', ''],
      ['02/02/2026', 'סה״כ', '15.00', '1,007.00', '992.00'],
    )
    expect(faults).toEqual([])
    expect(lines.map((l) => l.amount)).toEqual([-500, -1_000, 700])
  })

  test('one column with a sign, written before or after', () => {
    expect(
      read(
        ['date', 'amount'],
        ['2026-02-01', '-12.5'],
        ['2026-02-02', '12.50-'],
        ['2026-02-03', '(3.00)'],
        ['2026-02-04', '4'],
      ).lines.map((l) => l.amount),
    ).toEqual([-1_250, -1_250, -300, 400])
  })

  test('what went out with a minus in its own column went out all the same; a single correction among others came back', () => {
    expect(
      read(['date', 'debit', 'credit'], ['2026-02-01', '-5', ''], ['2026-02-01', '-7', '']).lines.map(
        (l) => l.amount,
      ),
    ).toEqual([-500, -700])
    expect(
      read(['date', 'debit', 'credit'], ['2026-02-01', '5', ''], ['2026-02-01', '-7', '']).lines.map(
        (l) => l.amount,
      ),
    ).toEqual([-500, 700])
  })

  test.each([
    ['2026-02-28T00:00:00', '2026-02-28'],
    ['28/02/2026 14:03', '2026-02-28'],
    ['28-Feb-26', '2026-02-28'],
    ['20260228', '2026-02-28'],
    ['2026/02/28', '2026-02-28'],
    ['280226', '2026-02-28'],
    ['46081', '2026-02-28'],
  ])('the day %s', (cell, day) => expect(read(['date', 'amount'], [cell, '1']).lines[0]?.day).toBe(day))

  test('the month first, only where the other way a day would not exist', () => {
    expect(
      read(['date', 'amount'], ['02/28/2026', '1'], ['03/04/2026', '1']).lines.map((l) => l.day),
    ).toEqual(['2026-02-28', '2026-03-04'])
    expect(read(['date', 'amount'], ['02/03/2026', '1']).lines.map((l) => l.day)).toEqual(['2026-03-02'])
  })

  test('a sum without a day, and a sum that is none, are said', () => {
    expect(
      read(
        ['date', 'amount', 'balance'],
        ['soon', '5', ''],
        ['2026-02-01', '5x', ''],
        ['2026-02-01', '1.234', ''],
      ).faults,
    ).toEqual([
      { row: 0, code: 'badDay', value: 'soon' },
      { row: 1, code: 'badSum', value: '5x' },
      { row: 2, code: 'badSum', value: '1.234' },
    ])
  })
})

describe('balances', () => {
  const down = [
    line('2026-02-01', 100, { balance: 600 }),
    line('2026-02-01', -50, { balance: 550 }),
    line('2026-02-02', 7, { balance: 557 }),
  ]

  test('lines are put from the oldest to the newest, whichever way the file has them', () => {
    expect(inOrder(down)).toEqual(down)
    expect(inOrder(down.toReversed())).toEqual(down)
    // All of one day: only the balances tell.
    const one = down.map((l) => ({ ...l, day: '2026-02-01' }))
    expect(inOrder(one.toReversed())).toEqual(one)
  })

  test('a line that is missing is found where it is missing', () => {
    expect(checkBalances(down)).toEqual({ opening: 500, closing: 557, mismatches: [] })
    expect(checkBalances([down[0]!, down[2]!]).mismatches).toEqual([1])
    expect(checkBalances(down, { closing: 560 }).mismatches).toEqual([3])
    expect(checkBalances([line('2026-02-01', 5)], { closing: 100 })).toEqual({
      opening: 95,
      closing: 100,
      mismatches: [],
    })
    expect(checkBalances([line('2026-02-01', 5)])).toEqual({ opening: null, closing: null, mismatches: [] })
  })
})

describe('a line never stands twice', () => {
  const fee = line('2026-02-01', -500, { text: 'עמלה', reference: '17' })
  const paid = line('2026-02-02', 9_000, { text: 'זיכוי', reference: '0012345', balance: 100 })

  test('files overlap; two equal lines of a day stay two', () => {
    expect(noveltyOf([fee], [fee, fee, paid])).toEqual(['known', 'new', 'new'])
    expect(noveltyOf([fee, fee, paid], [fee, fee, paid])).toEqual(['known', 'known', 'known'])
    expect(occurrences([fee], [fee, fee, paid])).toEqual([2, 3, 1])
  })

  test('another of the bank’s files words it otherwise: the reference or the balance tells, else it is suspected', () => {
    expect(noveltyOf([paid], [{ ...paid, text: 'TRANSFER', reference: '12345', balance: null }])).toEqual([
      'known',
    ])
    expect(noveltyOf([paid], [{ ...paid, text: 'TRANSFER', reference: '' }])).toEqual(['known'])
    expect(noveltyOf([fee], [{ ...fee, text: 'FEE', reference: '' }])).toEqual(['suspect'])
    expect(noveltyOf([fee], [{ ...fee, day: '2026-02-02' }])).toEqual(['new'])
  })

  test('what is there answers once: a line like it in part does not take the place of the one like it in all', () => {
    const other = { ...fee, text: 'אחרת', reference: '99' }
    expect(noveltyOf([fee], [other, fee])).toEqual(['new', 'known'])
  })
})

test('OFX without closing tags', () => {
  const text = `OFXHEADER:100\nCHARSET:1255\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>ILS<BANKACCTFROM><BANKID>12<ACCTID>600-123456
<BANKTRANLIST><DTSTART>20260201
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260203120000[+2:IST]<TRNAMT>1234.50<FITID>A1<NAME>כהן &amp; בניו<MEMO>חשבונית 1001
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260205<TRNAMT>-12.00<FITID>A2<CHECKNUM>778<NAME>שיק
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>soon<TRNAMT>-12.00<FITID>A3<NAME>?
</BANKTRANLIST><LEDGERBAL><BALAMT>5000.00<DTASOF>20260205</LEDGERBAL><AVAILBAL><BALAMT>9000.00</AVAILBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`
  expect(isOfx(text)).toBe(true)
  const [{ lines, ...rest }] = readOfx(text) as [ReturnType<typeof readOfx>[number]]
  expect(rest).toEqual({
    account: '600-123456',
    currency: 'ILS',
    opening: null,
    closing: 500_000,
    unread: [{ row: 8, value: 'soon -12.00' }],
  })
  expect(lines.map((l) => [l.day, l.amount, l.text, l.details, l.reference])).toEqual([
    ['2026-02-03', 123_450, 'כהן & בניו', 'חשבונית 1001', 'A1'],
    ['2026-02-05', -1_200, 'שיק', '', '778'],
  ])
})

test('MT940: sides, reversals, days of entry around the new year, balances', () => {
  const text = [
    '{1:F01POALILIT}{4:',
    ':20:START',
    ':25:12-600-123456',
    ':28C:1/1',
    ':60F:C251231ILS1000,00',
    ':61:2512310102C250,5NTRF1001//B77',
    ':86:?20העברה מ?21כהן',
    ':61:260103D12,NCHGNONREF//B78',
    'עמלה',
    ':61:260104RC50,00NTRF1001',
    ':62F:C260104ILS1188,50',
    '-}',
  ].join('\r\n')
  expect(isMt940(text)).toBe(true)
  const [read] = readMt940(text) as [ReturnType<typeof readMt940>[number]]
  expect(read).toMatchObject({
    account: '12-600-123456',
    currency: 'ILS',
    opening: 100_000,
    closing: 118_850,
    unread: [],
  })
  expect(read.lines.map((l) => [l.day, l.valueDay, l.amount, l.text, l.reference, l.balance])).toEqual([
    ['2026-01-02', '2025-12-31', 25_050, 'העברה מ כהן', '1001', 125_050],
    ['2026-01-03', '2026-01-03', -1_200, 'עמלה', 'B78', 123_850],
    ['2026-01-04', '2026-01-04', -5_000, '', '1001', 118_850],
  ])
  expect(checkBalances(read.lines, read).mismatches).toEqual([])
})

test('files of several accounts are told apart; what of them cannot be read is told with its row', () => {
  const page = (account: string, from: string, to: string, ...lines: string[]) =>
    [':20:X', `:25:${account}`, `:60F:C260131ILS${from}`, ...lines, `:62F:C260201ILS${to}`, '-'].join('\r\n')
  const read = readMt940(
    [
      page('12-600-111111', '100,00', '95,00', ':61:260201D5,NCHG1'),
      page('12-600-222222', '50,00', '43,00', ':61:260201D7,NCHG1'),
      page('12-600-111111', '95,00', '96,00', ':61:260201C1,NTRF2', ':61:26020XC1,NTRF2'),
    ].join('\r\n'),
  )
  expect(
    read.map((one) => [one.account, one.opening, one.closing, one.lines.map((l) => [l.amount, l.balance])]),
  ).toEqual([
    [
      '12-600-111111',
      10_000,
      9_600,
      [
        [-500, 9_500],
        [100, 9_600],
      ],
    ],
    ['12-600-222222', 5_000, 4_300, [[-700, 4_300]]],
  ])
  expect(read[0]!.unread).toEqual([{ row: 17, value: '26020XC1,NTRF2' }])
  const one = (account: string, sum: string) =>
    `<STMTTRNRS><STMTRS><CURDEF>ILS<ACCTID>${account}<STMTTRN><DTPOSTED>20260201<TRNAMT>${sum}<NAME>x</STMTRS></STMTTRNRS>`
  expect(
    readOfx(`<OFX>${one('111111', '-5')}${one('222222', '-7')}</OFX>`).map((s) => [
      s.account,
      s.lines.map((l) => l.amount),
    ]),
  ).toEqual([
    ['111111', [-500]],
    ['222222', [-700]],
  ])
})

test('a page that calls itself a workbook', () => {
  const page =
    '<html><script>var x = "<tr><td>no"</script><table><tr><th>תאריך</th><th>סכום</th></tr><tr><td>01/02/2026</td><td>1,000.00&nbsp;&#8362;</td></tr></table></html>'
  expect(isPage(page)).toBe(true)
  expect(pageRows(page)).toEqual([
    ['תאריך', 'סכום'],
    ['01/02/2026', '1,000.00 ₪'],
  ])
})
