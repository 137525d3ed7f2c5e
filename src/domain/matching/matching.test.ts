import { describe, expect, test } from 'vitest'
import { nameFinder, numbersIn } from './names.ts'
import { propose, type Facts, type OpenLine, type OpenPosting } from './propose.ts'
import { waysTo } from './sums.ts'
import { recurringWords } from './words.ts'
import { partToZero, proposeZero } from './zero.ts'

const cohen = { id: 'cohen', name: 'כהן ובניו בע"מ', role: 'customer' as const }
const cohenAlone = { id: 'cohenAlone', name: 'כהן', role: 'customer' as const }
const levi = { id: 'levi', name: 'דנה לוי', role: 'customer' as const }
const power = { id: 'power', name: 'חברת החשמל לישראל', role: 'supplier' as const }

describe('a name in a bank’s text', () => {
  const find = nameFinder([cohen, cohenAlone, levi, power])
  test.each([
    ['העברה מאת לוי דנה', 'levi'],
    ['זיכוי כהן ובניו', 'cohen'],
    ['זיכוי מכהן', undefined],
    ['כהן העברה', 'cohenAlone'],
    ['חיוב חברת החשמל לי', 'power'],
    ['לוי', undefined],
    ['בע"מ', undefined],
  ])('%s', (text, id) => expect(find(text)?.id).toBe(id))

  test('two of one length prove neither', () => {
    expect(
      nameFinder([
        { id: 'a', name: 'אור' },
        { id: 'b', name: 'טוב' },
      ])('אור טוב'),
    ).toBeUndefined()
  })

  test('numbers are compared without leading zeros', () =>
    expect([...numbersIn('חשבונית 001044, 12')]).toEqual(['1044']))
})

test('ways to a sum: two or more parts, counted until they are too many', () => {
  const of = (...amounts: number[]) => amounts.map((amount) => ({ amount }))
  expect(waysTo(5, of(5, 2, 3)).map((way) => way.map((one) => one.amount))).toEqual([[2, 3]])
  expect(waysTo(5, of(1, 4, 2, 3))).toHaveLength(2)
  expect(waysTo(-5, of(-2, -3))).toHaveLength(1)
  expect(waysTo(9, of(1, 2, 3, 3), 3)).toHaveLength(0)
})

const line = (id: string, day: string, amount: number, text = '', reference = ''): OpenLine => ({
  id,
  bankAccountId: 'main',
  day: `2026-03-${day}`,
  amount,
  text,
  reference,
})
const posting = (key: string, day: string, amount: number, more: Partial<OpenPosting> = {}): OpenPosting => ({
  key,
  entryId: key,
  day: `2026-03-${day}`,
  amount,
  kind: 'receipt',
  partyId: null,
  numbers: [],
  reversesId: null,
  ...more,
})
const proposals = (facts: Partial<Facts>) =>
  propose({
    lines: [],
    postings: [],
    debts: [],
    parties: [cohen, levi, power],
    returnables: [],
    rules: [],
    others: [],
    ...facts,
  })
const short = (facts: Partial<Facts>) =>
  proposals(facts).map((p) => [p.lines.join('+'), p.deed ?? p.postings.join('+'), p.confidence])

describe('lines and postings', () => {
  test('a sum with a number or a name is certain, a sum alone likely', () => {
    const lines = [
      line('a', '05', 100, 'העברה 1044'),
      line('b', '06', 200, 'לוי דנה'),
      line('c', '07', 300, 'זיכוי'),
    ]
    const postings = [
      posting('p', '05', 100, { numbers: ['1044'] }),
      posting('q', '05', 200, { partyId: 'levi' }),
      posting('r', '06', 300, { partyId: 'cohen' }),
    ]
    expect(short({ lines, postings })).toEqual([
      ['a', 'p', 'certain'],
      ['b', 'q', 'certain'],
      ['c', 'r', 'likely'],
    ])
  })

  test('one sum of two customers: the name decides; without it there are two ways', () => {
    const postings = [
      posting('l', '05', 100, { partyId: 'levi' }),
      posting('c', '05', 100, { partyId: 'cohen' }),
    ]
    expect(short({ postings, lines: [line('1', '05', 100, 'כהן ובניו')] })).toEqual([['1', 'c', 'certain']])
    expect(
      short({ postings, lines: [line('1', '05', 100, 'זיכוי')] }).map(([, , confidence]) => confidence),
    ).toEqual(['possible'])
  })

  test('a text that names somebody else is no match of a mere sum', () => {
    expect(
      short({
        lines: [line('1', '05', 100, 'דנה לוי')],
        postings: [posting('c', '05', 100, { partyId: 'cohen' })],
      }),
    ).toEqual([['1', 'receipt', 'possible']])
  })

  test('the sum of several papers, by their numbers, by the name, by nothing but the sum', () => {
    const of = (text: string, more: Partial<OpenPosting>) =>
      short({
        lines: [line('1', '05', 500, text)],
        postings: [
          posting('a', '04', 200, { numbers: ['1044'], ...more }),
          posting('b', '05', 300, { numbers: ['1045'], ...more }),
          posting('x', '05', 77),
        ],
      })
    expect(of('1044 1045', {})).toEqual([['1', 'a+b', 'certain']])
    expect(of('דנה לוי', { partyId: 'levi' })).toEqual([['1', 'a+b', 'certain']])
    expect(of('זיכוי', { partyId: 'levi' })).toEqual([['1', 'b+a', 'likely']])
    expect(of('זיכוי', {})).toEqual([['1', 'b+a', 'possible']])
  })

  test('a deposit that the bank shows cheque by cheque', () => {
    const deposit = posting('d', '05', 600, { kind: 'deposit', numbers: ['12', '5001', '5002', '5003'] })
    const cheques = [
      line('1', '05', 100, 'הפקדת שיק', '5001'),
      line('2', '05', 200, 'הפקדת שיק', '5002'),
      line('3', '06', 300, 'הפקדת שיק', '5003'),
    ]
    expect(short({ lines: cheques, postings: [deposit] })).toEqual([['1+2+3', 'd', 'certain']])
    expect(short({ lines: cheques.slice(1), postings: [deposit] })).toEqual([])
  })

  test('a file for the bank goes out in one sum, however many are in it, with those that came back later', () => {
    const file = Array.from({ length: 40 }, (_, i) => posting(`p${i}`, '05', -100 - i, { runId: 'r' }))
    const total = -(4_000 + 780)
    const reversed = posting('back', '09', 107, { reversesId: 'p7' })
    const other = posting('other', '05', -100)
    const found = proposals({
      lines: [line('file', '05', total), line('returned', '09', 107)],
      postings: [...file, reversed, other],
    })
    expect(found.map((p) => [p.lines, p.postings.length, p.confidence, p.reasons])).toEqual([
      [['file'], 40, 'likely', ['paymentRun', 'sumOfPostings', 'sameDay']],
      [['returned'], 1, 'likely', ['sameSum', 'sameDay']],
    ])
    // What was reversed before the bank moved anything is in no amount of the bank.
    const early = proposals({ lines: [line('file', '05', total + 107)], postings: [...file, reversed] })
    expect(early.map((p) => [p.lines, p.postings.length])).toEqual([
      [['file'], 39],
      [[], 2],
    ])
    expect(proposals({ lines: [line('file', '28', total)], postings: file })).toEqual([])
  })

  test('an entry and its reversal are no affair of the bank', () => {
    expect(
      short({ postings: [posting('e', '05', 100), posting('r', '05', -100, { reversesId: 'e' })] }),
    ).toEqual([['', 'e+r', 'certain']])
  })

  test('three hundred lines of one sum against as many postings are looked through in a moment', () => {
    const many = Array.from({ length: 300 }, (_, i) => i)
    const lines = many.map((i) => line(`l${i}`, '05', 5_990, `הוראת קבע ${i}`))
    const postings = many.map((i) => posting(`p${i}`, '05', 5_990, { partyId: `c${i}` }))
    const begun = performance.now()
    expect(proposals({ lines, postings })).toHaveLength(300)
    // Each pair against each other pair would take minutes.
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  test('nothing is proposed twice', () => {
    const lines = [line('1', '05', 100, '1044'), line('2', '05', 100, '1044')]
    expect(short({ lines, postings: [posting('p', '05', 100, { numbers: ['1044'] })] })).toHaveLength(1)
  })
})

describe('what has no posting', () => {
  test('fees, interest, and neither of them when the words say otherwise', () => {
    const lines = [
      line('1', '31', -1_290, 'עמלת פעולה בערוץ ישיר'),
      line('2', '31', -900, 'ריבית חובה'),
      line('3', '31', 30, 'ריבית זכות'),
      line('4', '31', -5_000_000, 'עמלות'),
    ]
    expect(short({ lines })).toEqual([
      ['1', 'fee', 'likely'],
      ['2', 'interest', 'likely'],
      ['3', 'interest', 'likely'],
    ])
  })

  test('a rule of the business goes before them, and is certain when it says so', () => {
    const rule = {
      id: 'r',
      contains: 'עמלת פעולה',
      direction: 'out' as const,
      deed: 'account' as const,
      accountId: '6900',
      partyId: null,
      bankAccountId: null,
      automatic: true,
    }
    expect(proposals({ lines: [line('1', '31', -10, 'עמלת  פעולה')], rules: [rule] })).toMatchObject([
      { deed: 'account', accountId: '6900', confidence: 'certain' },
    ])
    expect(short({ lines: [line('1', '31', 10, 'עמלת פעולה')], rules: [rule] })).toEqual([
      ['1', 'fee', 'likely'],
    ])
    // A rule for both directions makes no receipt of money that went out.
    const paper = {
      ...rule,
      direction: 'both' as const,
      deed: 'receipt' as const,
      accountId: null,
      automatic: false,
    }
    expect(short({ lines: [line('1', '31', -10, 'עמלת פעולה')], rules: [paper] })).toEqual([
      ['1', 'fee', 'likely'],
    ])
  })

  test('a cheque that came back, by its number; of two of one sum without it neither', () => {
    const returnables = [
      { paymentId: 'p', number: '5001', amount: 100, since: '2026-03-01' },
      { paymentId: 'q', number: '5002', amount: 100, since: '2026-03-01' },
    ]
    expect(proposals({ lines: [line('1', '09', -100, 'שיק חוזר', '5002')], returnables })).toMatchObject([
      { deed: 'bounce', paymentId: 'q' },
    ])
    expect(proposals({ lines: [line('1', '09', -100, 'שיק חוזר')], returnables })).toEqual([])
  })

  test('a transfer between own accounts takes the line of the other account once', () => {
    const others = [{ ...line('o', '05', 700, 'העברה בין חשבונות'), bankAccountId: 'second' }]
    const lines = [line('1', '05', -700, 'העברה'), line('2', '05', -700, 'העברה')]
    expect(proposals({ lines, others })).toMatchObject([
      { lines: ['1'], deed: 'transfer', bankAccountId: 'second', otherLineId: 'o' },
    ])
  })

  test('several invoices by their numbers, when they add up to the amount and belong to one customer', () => {
    const debt = (id: string, partyId: string, number: string, open: number) => ({
      id,
      partyId,
      role: 'customer' as const,
      number,
      day: '2026-02-01' as const,
      open,
    })
    const paid = (amount: number, ...debts: ReturnType<typeof debt>[]) =>
      proposals({ lines: [line('1', '05', amount, 'תשלום 1044 1045')], debts }).map(({ closes }) =>
        closes?.map(({ id }) => id).toSorted(),
      )
    const [first, second] = [debt('i1', 'cohen', '1044', 500), debt('i2', 'cohen', '1045', 300)]
    expect(paid(800, first, second)).toEqual([['i1', 'i2']])
    expect(paid(801, first, second)).toEqual([])
    expect(paid(800, first, debt('i2', 'levi', '1045', 300))).toEqual([])
  })

  test('open invoices and bills, by number or name', () => {
    const debts = [
      { id: 'i1', partyId: 'cohen', role: 'customer' as const, number: '1044', day: '2026-02-01', open: 500 },
      { id: 'i2', partyId: 'levi', role: 'customer' as const, number: '1045', day: '2026-02-01', open: 500 },
      {
        id: 'b1',
        partyId: 'power',
        role: 'supplier' as const,
        number: '77001',
        day: '2026-02-01',
        open: 900,
      },
    ]
    const lines = [
      line('1', '05', 500, 'תשלום חשבונית 1045'),
      line('2', '06', 500, 'כהן ובניו'),
      line('3', '07', -900, 'חברת החשמל לי'),
      line('4', '08', 12, 'כהן ובניו'),
    ]
    expect(
      proposals({ lines, debts }).map((p) => [
        p.lines[0],
        p.deed,
        p.partyId,
        p.closes?.map((c) => c.id),
        p.confidence,
      ]),
    ).toEqual([
      ['1', 'receipt', 'levi', ['i2'], 'likely'],
      ['2', 'receipt', 'cohen', ['i1'], 'likely'],
      ['3', 'supplier', 'power', ['b1'], 'likely'],
      ['4', 'receipt', 'cohen', undefined, 'possible'],
    ])
  })
})

describe('a card that comes to zero', () => {
  const on = (key: string, amount: number, reference = '', more: object = {}) => ({
    key,
    entryId: key,
    day: '2026-03-01',
    amount,
    reference,
    reversesId: null,
    ...more,
  })
  test.each([
    ['a reversal', [on('a', 5), on('b', -5, '', { reversesId: 'a' })], [['a+b', 'reversal', true]]],
    [
      'one reference',
      [on('a', 5, '1001'), on('b', -3, '01001'), on('c', -2, '1001')],
      [['a+b+c', 'sameReference', true]],
    ],
    ['one sum, and nothing else of it', [on('a', 5), on('b', -5), on('c', 4)], [['a+b', 'sameSum', true]]],
    ['one sum, but another of it too', [on('a', 5), on('b', -5), on('c', 5)], [['a+b', 'sameSum', false]]],
    ['several', [on('a', 9), on('b', -5), on('c', -4)], [['a+b+c', 'sumOfSeveral', false]]],
    ['nothing', [on('a', 9), on('b', -5)], []],
    ['a part, of one reference', [on('a', 9, '77'), on('b', -5, '77')], [['a+b', 'partOfReference', false]]],
  ])('%s', (_name, lines, expected) =>
    expect(proposeZero(lines).map((p) => [p.keys.join('+'), p.reason, p.certain])).toEqual(expected),
  )

  test('the newest line of a reference gives the part; where no line alone can, nothing is proposed', () => {
    const lines = [
      on('old', 4, '77'),
      on('new', 9, '77', { day: '2026-03-09' }),
      on('paid', -6, '77', { day: '2026-03-10' }),
    ]
    expect(proposeZero(lines).map((one) => one.partly)).toEqual([{ key: 'new', amount: 2 }])
    expect(proposeZero([on('a', 4, '77'), on('b', 5, '77')])).toEqual([])
    expect(partToZero([on('a', 5), on('b', 4), on('c', -6)])).toEqual({ key: 'b', amount: 1 })
    expect(partToZero([on('a', 4), on('b', 4), on('c', -1)])).toBeUndefined()
  })
  test('a card of two thousand open lines on both sides is looked through in a moment', () => {
    const lines = Array.from({ length: 2000 }, (_, i) =>
      on(String(i), ((i * 7919) % 999_983) * (i % 2 ? -1 : 1) + 1, '', {
        day: `2026-0${1 + (i % 9)}-1${i % 9}`,
      }),
    )
    const start = performance.now()
    proposeZero(lines)
    // It took minutes, in which the server answered nobody.
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})

test.each([
  ['העברה אל גלית נאור 410037', 'העברה אל גלית נאור'],
  ['עמלת פעולה בערוץ ישיר', 'עמלת פעולה בערוץ ישיר'],
  ['הו"ק 123-456 חברת החשמל לישראל בע"מ', 'חברת החשמל לישראל בע"מ'],
  ['12/03 BEZEQ INT. 8841/2', 'BEZEQ INT'],
  ['410037 12', '410037 12'],
  [`${'מילה '.repeat(40)}`, `${'מילה '.repeat(20).trim()}`],
])('what "%s" will say again is "%s"', (text, words) => {
  expect(recurringWords(text)).toBe(words)
})
