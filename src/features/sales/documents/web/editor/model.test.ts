import { describe, expect, test } from 'vitest'
import type { DocumentAnswer, OpenItem } from '../../endpoints.ts'
import {
  emptyPayment,
  fitted,
  followedCloses,
  followedOpen,
  oldestFirst,
  paymentInput,
  seriesOf,
  takenBy,
  withheldOf,
  type EditedClose,
} from './money.ts'
import {
  adviceFor,
  change,
  emptyLine,
  dueDayInUse,
  figuresOf,
  exemptGroundInUse,
  fromAnswer,
  groundsToKeep,
  inputOf,
  isLineBelowDiscount,
  isWorthKeeping,
  newDocument,
  withCustomer,
  refusalsOf,
  sentLines,
  supplierOf,
  type BusinessFacts,
  type Edited,
  type EditedCustomer,
} from './model.ts'

const business: BusinessFacts = {
  kind: 'licensedDealer',
  rounding: 'none',
  defaultVatKind: 1,
  dueTerms: 'eom:30',
  language: 'he',
}
const garage: EditedCustomer = {
  id: 'c1',
  name: 'מוסך',
  taxId: '512345674',
  isDealer: true,
  zeroRate: false,
  email: null,
  dueTerms: null,
  language: null,
  creditLimitAgorot: null,
  balanceAgorot: 0,
}

const written = (...lines: [string, string | null, string | null][]): Edited =>
  lines.reduce(
    (edited, [description, quantity, unitPrice]) =>
      change(edited, {
        do: 'line',
        key: edited.lines.at(-1)!.key,
        change: { description, quantity, unitPrice },
      }),
    newDocument(8, '2026-11-20'),
  )

describe('lines', () => {
  test('the last one is always empty', () => {
    const edited = written(['a', '1', '10'], ['b', null, '5'])
    expect(edited.lines.map((line) => line.description)).toEqual(['a', 'b', ''])
    expect(change(edited, { do: 'drop', key: edited.lines[2]!.key }).lines).toHaveLength(3)
  })
  test('of two empty lines at the end one goes', () => {
    const edited = written(['a', '1', '10'])
    const begun = change(edited, { do: 'line', key: edited.lines[1]!.key, change: { description: 'b' } })
    const undone = change(begun, { do: 'line', key: edited.lines[1]!.key, change: { description: '' } })
    expect(undone.lines.map((line) => line.key)).toEqual(edited.lines.map((line) => line.key))
  })
  test('a line goes and comes back to its place', () => {
    const edited = written(['a', '1', '10'], ['b', '1', '5'], ['c', '1', '1'])
    const gone = change(edited, { do: 'drop', key: edited.lines[1]!.key })
    expect(gone.lines.map((line) => line.description)).toEqual(['a', 'c', ''])
    expect(
      change(gone, { do: 'add', line: edited.lines[1]!, at: 1 }).lines.map((line) => line.description),
    ).toEqual(['a', 'b', 'c', ''])
  })
  test('nothing moves below the empty line', () => {
    const edited = written(['a', '1', '10'], ['b', '1', '5'], ['c', '1', '1'])
    const order = (to: number, of = 0) =>
      change(edited, { do: 'move', key: edited.lines[of]!.key, to })
        .lines.map((line) => line.description)
        .join('')
    expect(order(1)).toBe('bac')
    expect(order(9)).toBe('bca')
    expect(order(0, 2)).toBe('cab')
    expect(order(0, 3)).toBe('abc')
  })
  test('a new line keeps the VAT kind of the one above', () => {
    const edited = change(newDocument(8, '2026-11-20'), { do: 'vatKind', kind: 2 })
    expect(
      change(edited, { do: 'line', key: edited.lines[0]!.key, change: { description: 'a' } }).lines[1]!
        .vatKind,
    ).toBe(2)
  })
})

describe('what is sent', () => {
  test('neither empty lines nor lines without words', () => {
    const edited = written(['a', null, '10'], ['', '3', '5'])
    expect(inputOf(edited).lines).toEqual([
      { itemId: null, sku: '', description: 'a', details: '', quantity: '1', unit: '', unitPrice: '10' },
    ])
    expect(sentLines(edited)).toHaveLength(1)
  })
  test('an untouched document is not kept', () => {
    expect(isWorthKeeping(newDocument(8, '2026-11-20'))).toBe(false)
    expect(isWorthKeeping({ ...newDocument(8, '2026-11-20'), customer: garage })).toBe(true)
    expect(isWorthKeeping(written(['', null, '5']))).toBe(true)
  })
  test('a rate only with a foreign currency', () => {
    expect(inputOf({ ...written(['a', '1', '1']), rate: '3.7' }).rate).toBeUndefined()
    expect(inputOf({ ...written(['a', '1', '1']), currency: 'USD', rate: '3.7' }).rate).toBe('3.7')
  })
})

describe('the figures', () => {
  test('of a licensed dealer', () => {
    const figures = figuresOf(
      { ...written(['a', '18', '42.5'], ['b', null, '8250']), discount: { basisPoints: 500 } },
      business,
    )!
    expect(figures.totals).toMatchObject({
      subtotal: 901_500,
      discount: 45_075,
      net: 856_425,
      vat: 154_157,
      total: 1_010_582,
    })
    expect([...figures.amounts.values()]).toEqual([76_500, 825_000])
  })
  test('an exempt dealer charges no VAT, a zero-rate customer pays none', () => {
    const edited = written(['a', '1', '100'])
    expect(figuresOf(edited, { ...business, kind: 'exemptDealer' })!.totals).toMatchObject({
      vat: 0,
      netExempt: 10_000,
      total: 10_000,
    })
    expect(figuresOf({ ...edited, customer: { ...garage, zeroRate: true } }, business)!.totals).toMatchObject(
      {
        vat: 0,
        netZero: 10_000,
        total: 10_000,
      },
    )
  })
  test('the rate follows the date', () => {
    expect(figuresOf({ ...written(['a', '1', '100']), date: '2024-12-31' }, business)!.totals.vat).toBe(1700)
  })
  test('in dollars, with shekels beside them once the rate is there', () => {
    const edited = { ...written(['a', '1', '100']), currency: 'USD' }
    expect(figuresOf(edited, business)!.ils).toBeUndefined()
    expect(figuresOf({ ...edited, rate: '3.65' }, business)!.ils!.total).toBe(43_070)
  })
  test('a sum beyond exactness is no figure', () => {
    expect(figuresOf(written(['a', '900000000', '900000000']), business)).toBeUndefined()
  })
})

describe('a word before issuing', () => {
  const threshold = () => 500_000
  const kinds = (edited: Edited) =>
    adviceFor(edited, figuresOf(edited, business), threshold).map((one) => one.kind)
  test('about the allocation number', () => {
    expect(kinds({ ...written(['a', '1', '5000.01']), customer: garage })).toEqual(['allocation'])
    expect(kinds({ ...written(['a', '1', '5000']), customer: garage })).toEqual([])
    const mixed = written(['a', '1', '4000'], ['b', '1', '1000.01'])
    const free = {
      ...mixed,
      lines: mixed.lines.map((line, i) => (i === 1 ? { ...line, vatKind: 4 as const } : line)),
    }
    expect(kinds({ ...free, customer: garage })).toEqual(['allocation'])
    expect(kinds({ ...written(['a', '1', '6000']), customer: { ...garage, taxId: null } })).toEqual(['taxId'])
    expect(
      kinds({ ...written(['a', '1', '6000']), customer: { ...garage, taxId: null, isDealer: false } }),
    ).toEqual(['taxId'])
    expect(
      kinds({ ...written(['a', '1', '60']), customer: { ...garage, taxId: null, isDealer: false } }),
    ).toEqual([])
  })
  test('about the credit limit', () => {
    expect(
      kinds({
        ...written(['a', '1', '100']),
        customer: { ...garage, creditLimitAgorot: 20_000, balanceAgorot: 10_000 },
      }),
    ).toEqual(['creditLimit'])
  })
})

test('a refusal finds its line among those that were sent', () => {
  const sent = [emptyLine(), emptyLine()]
  expect(
    refusalsOf(
      [
        { path: 'lines.1.unitPrice', code: 'fields.decimal' },
        { path: 'date', code: 'x' },
      ],
      sent,
    ),
  ).toEqual({
    fields: { date: { code: 'x', params: undefined } },
    payments: {},
    lines: { [sent[1]!.key]: { cell: 'unitPrice', code: 'fields.decimal', params: undefined } },
  })
})

test('a customer brings the discount of his type along, and takes no chosen one away', () => {
  const wholesale = { ...garage, typeDiscountBp: 750 }
  const empty = newDocument(8, '2026-11-20')
  const began = { ...empty, ...withCustomer(empty, wholesale) }
  expect(began.discount).toEqual({ basisPoints: 750 })
  // Another customer, without such a type: what came with the first is removed.
  expect(withCustomer(began, garage)).toMatchObject({ customer: garage, discount: null })
  const chosen = { ...began, discount: { basisPoints: 1000 } }
  expect(withCustomer(chosen, garage).discount).toBeUndefined()
  expect(withCustomer({ ...empty, discount: { agorot: 500 } }, wholesale).discount).toBeUndefined()
})

test('the worker in charge of a customer comes and goes with him, and one who was chosen stays', () => {
  const [noa, dan] = [
    { id: 'w1', name: 'נועה' },
    { id: 'w2', name: 'דן' },
  ]
  const empty = newDocument(8, '2026-11-20')
  const began = { ...empty, ...withCustomer(empty, { ...garage, agent: noa }) }
  expect(began.agent).toEqual(noa)
  expect(inputOf(began).agentId).toBe('w1')
  expect(withCustomer(began, garage)).toMatchObject({ customer: garage, agent: null })
  expect(withCustomer({ ...began, agent: dan }, garage)).not.toHaveProperty('agent')
})

test('a discount of a line by sum is sent as it is, and one above its line leaves no sums', () => {
  const line = {
    ...emptyLine(),
    description: 'שולחן',
    quantity: '2',
    unitPrice: '100',
    discountAgorot: 5_000,
  }
  const edited = { ...newDocument(8, '2026-11-20'), lines: [line] }
  expect(inputOf(edited).lines?.[0]?.discount).toEqual({ agorot: 5_000 })
  expect(figuresOf(edited, business)?.totals.subtotal).toBe(15_000)
  const above = { ...line, discountAgorot: 20_001 }
  expect([isLineBelowDiscount(line), isLineBelowDiscount(above)]).toEqual([false, true])
  expect(figuresOf({ ...edited, lines: [above] }, business)).toBeUndefined()
})

describe('papers of money', () => {
  const open = (id: string, agorot: number, more: Partial<OpenItem> = {}): OpenItem => ({
    id,
    type: 8,
    number: 1,
    label: null,
    date: '2026-01-01',
    dueDate: null,
    currency: 'ILS',
    totalAgorot: agorot,
    openInCurrencyAgorot: agorot,
    openAgorot: agorot,
    asks: false,
    isOpening: false,
    openingNumber: '',
    ...more,
  })

  test('a receipt comes to what was paid, whatever its lines describe', () => {
    const receipt: Edited = {
      ...written(['a', '1', '999']),
      type: 6,
      payments: [emptyPayment('cash', 11_800)],
    }
    expect(figuresOf(receipt, business)?.totals.total).toBe(11_800)
    expect(figuresOf(receipt, { ...business, kind: 'exemptDealer' })?.totals.total).toBe(99_900)
  })
  test('nothing is sent that the type has no part for, and nothing is lost on the way back', () => {
    const quote: Edited = {
      ...written(['a', '1', '10']),
      type: 1,
      payments: [emptyPayment('cash', 1000)],
      validUntil: '2026-12-31',
    }
    expect(inputOf(quote)).toMatchObject({ validUntil: '2026-12-31' })
    expect(inputOf(quote)).not.toHaveProperty('payments')
    const paid = inputOf({ ...quote, type: 9 })
    expect(paid.payments).toMatchObject([{ means: 1, amountAgorot: 1000 }])
    expect(paid).not.toHaveProperty('validUntil')
  })
  test('a half-typed card number waits; details of another means are not sent', () => {
    const card = { ...emptyPayment('card', 5000), cardLast4: '12', bank: '12' }
    expect(paymentInput(card)).toEqual({ means: 4, amountAgorot: 5000 })
    expect(paymentInput({ ...card, cardLast4: '1234' })).toMatchObject({ cardLast4: '1234' })
  })
  test('a cheque becomes a series of the same sum', () => {
    const first = { ...emptyPayment('cheque', 100_001), number: '0098', dueDate: '2026-11-30', bank: '12' }
    const rows = seriesOf(first, '2026-11-20', 3)
    expect(rows.map((row) => [row.number, row.dueDate, row.amountAgorot, row.bank])).toEqual([
      ['0098', '2026-11-30', 33_335, '12'],
      ['0099', '2026-12-30', 33_333, '12'],
      ['0100', '2027-01-30', 33_333, '12'],
    ])
    expect(rows[0]!.key).toBe(first.key)
    const edited = change({ ...written(), payments: [first] }, { do: 'pay', add: rows, for: first.key })
    expect(edited.payments).toHaveLength(3)
  })
  test('the oldest debt is paid first; a request for money takes nothing of it', () => {
    const items = [
      open('a', 10_000),
      open('q', 5_000, { asks: true, type: 5 }),
      open('b', 20_000),
      open('c', 7_000, { currency: 'USD' }),
    ]
    const closes = oldestFirst(15_000, items, 'ILS')
    expect(closes.map((close) => [close.documentId, close.amountAgorot])).toEqual([
      ['a', 10_000],
      ['b', 5_000],
    ])
    expect(
      takenBy([...closes, { documentId: 'q', amountAgorot: 5_000, takesAgorot: null }], items, 'ILS'),
    ).toBe(15_000)
    expect(takenBy([{ documentId: 'c', amountAgorot: 7_000, takesAgorot: 25_000 }], items, 'ILS')).toBe(
      25_000,
    )
  })
  describe('what a payment pays while its amount is typed', () => {
    const items = [
      open('a', 10_000),
      open('q', 5_000, { asks: true, type: 5 }),
      open('b', 20_000),
      open('c', 7_000, { currency: 'USD' }),
    ]
    const whole = (id: string, amountAgorot: number) => ({ documentId: id, amountAgorot, takesAgorot: null })
    const receipt = (closesFollow: readonly string[] | null, closes: EditedClose[], ...paid: number[]) => ({
      ...written(),
      type: 6,
      closesFollow,
      closes,
      payments: paid.map((one) => emptyPayment('transfer', one)),
    })
    test.each<[string, Edited, [string, number][] | undefined]>([
      [
        'all debts, the oldest first',
        receipt([], [], 15_000),
        [
          ['a', 10_000],
          ['b', 5_000],
        ],
      ],
      [
        'no more than all debts',
        receipt([], [], 99_000),
        [
          ['a', 10_000],
          ['b', 20_000],
        ],
      ],
      [
        'two payments together',
        receipt([], [], 6_000, 6_000),
        [
          ['a', 10_000],
          ['b', 2_000],
        ],
      ],
      ['nothing without an amount', receipt([], []), undefined],
      ['nothing again when the amount is cleared', receipt([], [whole('a', 10_000)], 0), []],
      ['a part of the document that was chosen', receipt(['b'], [whole('b', 20_000)], 2_000), [['b', 2_000]]],
      ['more than before, up to what is open', receipt(['b'], [whole('b', 2_000)], 30_000), [['b', 20_000]]],
      ['a part of a request that was chosen', receipt(['q'], [whole('q', 5_000)], 700), [['q', 700]]],
      ['what was chosen, before an amount is typed', receipt(['b'], [whole('b', 20_000)]), undefined],
      ['what follows already', receipt(['b'], [whole('b', 2_000)], 2_000), undefined],
      ['what was divided by hand', receipt(null, [whole('b', 20_000)], 2_000), undefined],
      ['what is in another currency', receipt(['c'], [whole('c', 7_000)], 2_000), undefined],
      ['what is no longer open', receipt(['gone'], [whole('gone', 7_000)], 2_000), undefined],
      ['money that goes back', receipt([], [], -2_000), undefined],
    ])('%s', (_, edited, wanted) => {
      expect(
        followedCloses(edited, items)?.map(({ documentId, amountAgorot }) => [documentId, amountAgorot]),
      ).toEqual(wanted)
    })
    test('a further payment is proposed to be the rest of what was chosen', () => {
      expect(followedOpen(receipt(['a', 'b'], [], 2_000), items)).toBe(30_000)
      expect(followedOpen(receipt([], [], 2_000), items)).toBeUndefined()
      expect(followedOpen(receipt(null, [], 2_000), items)).toBeUndefined()
    })
    test('what was divided by hand is lowered to what was received', () => {
      const closes = [whole('a', 10_000), whole('q', 5_000), whole('b', 20_000)]
      expect(fitted(closes, items, 12_000, 'ILS')).toEqual([
        whole('a', 10_000),
        whole('q', 5_000),
        whole('b', 2_000),
      ])
      expect(fitted(closes, items, 4_000, 'ILS')).toEqual([whole('a', 4_000), whole('q', 5_000)])
    })
  })
  test('tax is withheld of the sum with VAT: 250 of 1,250', () => {
    expect(withheldOf(125_000, 2000)).toBe(25_000)
  })
  test('a refusal finds its payment among those that were sent', () => {
    const rows = [emptyPayment('cash', null), emptyPayment('cheque', 100)]
    const found = refusalsOf([{ path: 'payments.0.branch', code: 'fields.code' }], [], rows.slice(1))
    expect(found.payments).toEqual({
      [rows[1]!.key]: { branch: { code: 'fields.code', params: undefined } },
    })
  })
})

describe('grounds of a document without VAT', () => {
  const abroad = { ...garage, zeroRate: true, zeroGround: null, exemptGround: null }

  test('are offered to be kept where the customer has none or another', () => {
    const edited: Edited = { ...newDocument(8), customer: abroad, zeroGround: 'exportOfGoods' }
    expect(groundsToKeep(edited)).toEqual({ zeroGround: { ground: 'exportOfGoods', isFirst: true } })
    expect(
      groundsToKeep({
        ...edited,
        customer: { ...abroad, zeroGround: 'tourism', exemptGround: 'dwellingLet' },
      }),
    ).toEqual({ zeroGround: { ground: 'exportOfGoods', isFirst: false } })
    expect(groundsToKeep({ ...edited, customer: { ...abroad, zeroGround: 'exportOfGoods' } })).toEqual({})
    expect(groundsToKeep({ ...edited, customer: { ...abroad, zeroRate: false } })).toEqual({})
    expect(groundsToKeep({ ...edited, zeroGround: null, exemptGround: 'otherExempt' })).toEqual({
      exemptGround: { ground: 'otherExempt', isFirst: true },
    })
  })

  test('of exemption are the customer’s until another one or none is chosen', () => {
    const customer = { ...garage, exemptGround: 'dwellingLet' as const }
    const edited = { ...newDocument(8), customer }
    expect(exemptGroundInUse(edited)).toBe('dwellingLet')
    expect(inputOf(edited)).not.toHaveProperty('exemptGround')
    expect(exemptGroundInUse({ ...edited, exemptGround: null })).toBeNull()
    expect(inputOf({ ...edited, exemptGround: null })).toMatchObject({ exemptGround: null })
  })
})

describe('terms and places follow the customer', () => {
  const kept = (edited: Edited, more: Partial<DocumentAnswer>) =>
    ({
      ...edited,
      lines: [],
      payments: [],
      closes: [],
      source: null,
      dueDate: null,
      ...more,
    }) as unknown as DocumentAnswer
  const weekly: EditedCustomer = { ...garage, id: 'c2', dueTerms: 'net:7' }
  test('a draft that comes back takes another customer’s terms, unless a person chose some', () => {
    const usual = fromAnswer(kept(written(), { dueTerms: 'eom:30' }), garage, business)
    expect(dueDayInUse({ ...usual, ...withCustomer(usual, weekly) }, business)).toBe('2026-11-27')
    const chosen = fromAnswer(kept(written(), { dueTerms: 'net:60' }), garage, business)
    expect(dueDayInUse({ ...chosen, ...withCustomer(chosen, weekly) }, business)).toBe('2027-01-19')
  })
  test('what is bought is due by the supplier’s terms, as the server has it', () => {
    const supplier = supplierOf({ id: 's', name: 'ספק', dueTerms: 'net:7' } as Parameters<
      typeof supplierOf
    >[0])
    expect(dueDayInUse({ ...newDocument(12, '2026-11-20'), customer: supplier }, business)).toBe('2026-11-27')
  })
  test('the place of one customer is not sent for another', () => {
    const place = {
      name: '',
      street: '',
      city: 'חיפה',
      zip: '',
      country: '',
      contact: '',
      phone: '',
      notes: '',
    }
    const edited = { ...written(['a', '1', '10']), customer: garage, deliverTo: place }
    expect(inputOf(edited)).toMatchObject({ deliverTo: place })
    expect(inputOf({ ...edited, ...withCustomer(edited, weekly) })).not.toHaveProperty('deliverTo')
    expect(inputOf({ ...edited, type: 6 })).not.toHaveProperty('deliverTo')
  })
})
