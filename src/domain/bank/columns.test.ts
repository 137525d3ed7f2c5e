import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { columnsOf, headRowOf, readTable } from './table.ts'
import { readMt940 } from './mt940.ts'

const read = (text: string, sign = ',') => {
  const rows = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(sign))
  const head = headRowOf(rows)
  const { lines, faults } = readTable(rows.slice(head + 1), columnsOf(rows[head]!))
  return { amounts: lines.map((line) => line.amount), texts: lines.map((line) => line.text), faults }
}

describe('figures are judged by their file', () => {
  test.each<[string, string[], (number | 'asked')[]]>([
    ['a comma elsewhere makes a point thousands', ['-12,50', '1.000', '1.111,11'], [-1250, 100_000, 111_111]],
    ['a point elsewhere makes a comma thousands', ['-12.50', '1,000', '1,111.11'], [-1250, 100_000, 111_111]],
    ['decimals of three places', ['12.50', '1.125'], [1250, 'asked']],
    ['nothing shows what a point is', ['-1.000', '2.500'], ['asked', 'asked']],
    ['a comma alone parts thousands, as here', ['-1,000', '2,500'], [-100_000, 250_000]],
    ['two points part thousands', ['1.000.000', '1.000'], [100_000_000, 100_000]],
    ['both signs before decimals show nothing', ['12,50', '12.50', '1.000'], [1250, 1250, 'asked']],
  ])('%s', (_, cells, wanted) => {
    const { amounts, faults } = read(
      ['תאריך;תיאור;סכום', ...cells.map((cell, i) => `0${i + 1}/01/2026;קפה;${cell}`)].join('\n'),
      ';',
    )
    expect(amounts).toEqual(wanted.filter((one) => one !== 'asked'))
    expect(faults.map((one) => one.value)).toEqual(cells.filter((_cell, i) => wanted[i] === 'asked'))
  })
})

describe('the way of a sum', () => {
  test('a column of debit and credit says it', () => {
    expect(
      read('Date,Description,Amount,Type\n05/01/2026,Coffee,12.50,DEBIT\n06/01/2026,Salary,1000,CREDIT'),
    ).toMatchObject({ amounts: [-1250, 100_000], texts: ['Coffee', 'Salary'], faults: [] })
    expect(
      read('תאריך,תיאור,סכום,חובה/זכות\n05/01/2026,קפה,12.50,חובה\n06/01/2026,שכר,1000,זכות').amounts,
    ).toEqual([-1250, 100_000])
  })
  test('a minus beside credit asks', () => {
    expect(
      read('Date,Description,Amount,Type\n05/01/2026,A,-12.50,CREDIT\n06/01/2026,B,5,DEBIT'),
    ).toMatchObject({
      amounts: [-500],
      faults: [{ code: 'badSum', value: '-12.50' }],
    })
  })
  test.each([
    [
      'Max',
      'תאריך עסקה,שם בית העסק,קטגוריה,4 ספרות אחרונות של כרטיס האשראי,סוג עסקה,סכום חיוב,מטבע חיוב,סכום עסקה מקורי,מטבע עסקה מקורי,תאריך חיוב',
    ],
    [
      'Isracard',
      'תאריך רכישה,שם בית עסק,קטגוריה,כרטיס,סוג,סכום חיוב,מטבע חיוב,סכום עסקה,מטבע עסקה,תאריך חיוב',
    ],
    ['Cal', 'תאריך עסקה,שם בית עסק,ענף,כרטיס,סוג עסקה,סכום חיוב,מטבע,סכום עסקה,מטבע מקור,מועד חיוב'],
  ])('charges of a card of %s are money out, refunds money in', (_, heads) => {
    const { amounts, texts, faults } = read(
      [
        heads,
        '05-01-2026,שופרסל,מזון,1234,רגילה,123.45,₪,123.45,₪,02-02-2026',
        '06-01-2026,קסטרו,ביגוד,1234,תשלום 3 מתוך 12,100,₪,1200,₪,02-02-2026',
        '07-01-2026,אמזון,חול,1234,רגילה,370.00,₪,100.00,$,02-02-2026',
        '08-01-2026,קסטרו,ביגוד,1234,זיכוי,-20,₪,-20,₪,02-02-2026',
        'סך הכל,,,,,573.45,₪,,,',
      ].join('\n'),
    )
    expect(amounts).toEqual([-12_345, -10_000, -37_000, 2000])
    expect(texts).toEqual(['שופרסל', 'קסטרו', 'אמזון', 'קסטרו'])
    expect(faults).toEqual([])
  })
  test.each([
    'Date,Libellé,Débit,Crédit,Solde',
    'Дата,Описание,Расход,Приход,Остаток',
    'التاريخ,البيان,مدين,دائن,الرصيد',
    'תאריך,תיאור,חובה,זכות,יתרה',
    'Date,Description,Debit,Credit,Balance',
  ])('debit and credit columns: %s', (heads) =>
    expect(read(`${heads}\n05/01/2026,a,12.50,,87.50\n06/01/2026,b,,1000,1087.50`).amounts).toEqual([
      -1250, 100_000,
    ]),
  )
})

test('a value date that does not exist gives way to the day of entry', () => {
  const [statement] = readMt940(
    ':20:1\n:25:12/345\n:60F:C160101EUR100,00\n:61:1602300301DR6,00N024NONREF\n:86:Fee\n:62F:C160301EUR94,00\n',
  )
  expect(statement).toMatchObject({ lines: [{ day: '2016-03-01', amount: -600 }], unread: [] })
})

test('500 files of any writing are read exactly, or a row is questioned', () => {
  const layouts = [
    ['תאריך', 'תיאור', 'סכום'],
    ['תאריך', 'תיאור', 'חובה', 'זכות'],
    ['Date', 'Description', 'Debit', 'Credit', 'Balance'],
    ['Date', 'Description', 'Amount', 'Type'],
    ['Date', 'Libellé', 'Montant', 'Solde'],
    ['Дата', 'Описание', 'Сумма'],
  ]
  const written = (
    agorot: number,
    style: 'point' | 'comma' | 'plainPoint' | 'plainComma',
    whole: boolean,
  ) => {
    const [units, part] = [
      Math.floor(Math.abs(agorot) / 100),
      String(Math.abs(agorot) % 100).padStart(2, '0'),
    ]
    const thousands = style === 'point' ? ',' : style === 'comma' ? '.' : ''
    const grouped = thousands ? String(units).replace(/\B(?=(\d{3})+$)/g, thousands) : String(units)
    const bare = whole && part === '00' ? grouped : `${grouped}${style.endsWith('oint') ? '.' : ','}${part}`
    return `${agorot < 0 ? '-' : ''}${bare}`
  }
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.integer({ min: -9_999_999, max: 9_999_999 }),
          fc.integer({ min: -9999, max: 9999 }).map((n) => n * 100),
        ),
        {
          minLength: 1,
          maxLength: 8,
        },
      ),
      fc.constantFrom(...layouts),
      fc.constantFrom('point' as const, 'comma' as const, 'plainPoint' as const, 'plainComma' as const),
      fc.boolean(),
      (all, layout, style, whole) => {
        const amounts = all.filter((one) => one !== 0)
        if (!amounts.length) return
        let balance = 0
        const rows = amounts.map((amount, i) => {
          balance += amount
          const w = (n: number) => written(n, style, whole)
          const cells: Record<string, string> = {
            day: `${String((i % 28) + 1).padStart(2, '0')}/01/2026`,
            debit: amount < 0 ? w(-amount) : '',
            credit: amount > 0 ? w(amount) : '',
            unsigned: w(Math.abs(amount)),
            amount: w(amount),
            type: amount < 0 ? 'DEBIT' : 'CREDIT',
            balance: w(balance),
          }
          return layout.map((head) =>
            /^(תאריך|Date|Дата)$/.test(head)
              ? cells.day!
              : /^(חובה|Debit)$/.test(head)
                ? cells.debit!
                : /^(זכות|Credit)$/.test(head)
                  ? cells.credit!
                  : head === 'Type'
                    ? cells.type!
                    : /^(Balance|Solde)$/.test(head)
                      ? cells.balance!
                      : /^(סכום|Amount|Montant|Сумма)$/.test(head)
                        ? layout.includes('Type')
                          ? cells.unsigned!
                          : cells.amount!
                        : `line ${i}`,
          )
        })
        const { lines, faults } = readTable(rows, columnsOf(layout))
        const seen = new Map(lines.map((line) => [line.text, line.amount]))
        for (const [i, amount] of amounts.entries())
          if (!faults.some((fault) => fault.row === i))
            expect([rows, i, seen.get(`line ${i}`)]).toEqual([rows, i, amount])
      },
    ),
    { numRuns: 500 },
  )
})
