import { expect, test } from 'vitest'
import { addDays } from '../day.ts'
import {
  propose,
  type Deed,
  type Facts,
  type OpenDebt,
  type OpenLine,
  type OpenParty,
  type OpenPosting,
  type Proposal,
  type Returnable,
} from './propose.ts'

/*
 * A made-up month of a busy business, with what every line really is known: how many of the proposals are
 * right (precision), and how much of what there is they find (recall). What may be accepted without a look
 * has to be right always.
 */

const surnames = [
  'כהן',
  'לוי',
  'מזרחי',
  'פרץ',
  'ביטון',
  'דהן',
  'אברהם',
  'פרידמן',
  'מלכה',
  'אזולאי',
  'כץ',
  'יוסף',
  'דוד',
  'עמר',
  'חדד',
  'גבאי',
  'אוחנה',
  'רוזנברג',
  'קליין',
  'שפירא',
]
const firsts = ['דנה', 'אורי', 'נועה', 'יואב', 'מאיה', 'איתן']
const trades = ['בניין', 'מתכת', 'אדריכלים', 'הנדסה', 'שיווק', 'מזון']

interface Truth {
  lines: string[]
  postings: string[]
  deed: Deed | null
  partyId?: string
}

interface Month extends Facts {
  truth: Truth[]
  lines: OpenLine[]
}

function month(seed: number): Month {
  let state = seed
  const roll = (sides: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
  const parties: OpenParty[] = surnames.flatMap((surname, i) => [
    { id: `c${i}`, name: `${firsts[i % 6]!} ${surname}`, role: 'customer' as const },
    { id: `d${i}`, name: `${surname} ${trades[i % 6]!} בע"מ`, role: 'customer' as const },
  ])
  const suppliers: OpenParty[] = [
    'חברת החשמל לישראל',
    'בזק',
    'פז חברת נפט',
    'מגדל ביטוח',
    'סלקום',
    'טמבור',
  ].map((name, i) => ({
    id: `s${i}`,
    name,
    role: 'supplier',
  }))
  parties.push(...suppliers)
  const customers = parties.filter((one) => one.role === 'customer')
  const lines: OpenLine[] = []
  const postings: OpenPosting[] = []
  const debts: OpenDebt[] = []
  const returnables: Returnable[] = []
  const truth: Truth[] = []
  let n = 0
  const day = () => addDays('2026-03-01', roll(28))
  const line = (on: string, amount: number, text: string, reference = String(100_000 + roll(900_000))) => {
    const id = `l${++n}`
    lines.push({ id, bankAccountId: 'main', day: on, amount, text, reference })
    return id
  }
  const posting = (on: string, amount: number, more: Partial<OpenPosting> = {}) => {
    const key = `p${++n}`
    postings.push({
      key,
      entryId: key,
      day: on,
      amount,
      kind: 'receipt',
      partyId: null,
      numbers: [String(2000 + n)],
      reversesId: null,
      ...more,
    })
    return key
  }
  const is = (ids: string[], keys: string[], deed: Deed | null = null, partyId?: string) =>
    truth.push({ lines: ids, postings: keys, deed, ...(partyId ? { partyId } : {}) })
  const round = () => (roll(40) + 1) * 5_000
  const odd = () => 1_000 + roll(900_000)
  const late = (on: string) => addDays(on, roll(3))
  const who = () => customers[roll(customers.length)]!

  // Receipts whose payer the bank names; a third of the amounts are round, so that several customers have the same.
  for (let i = 0; i < 70; i++) {
    const [party, sum, on] = [who(), roll(3) === 0 ? round() : odd(), day()]
    is(
      [line(late(on), sum, `זיכוי מ${['', ' ח-ן '][roll(2)]} ${party.name.replace('"', '')}`)],
      [posting(on, sum, { partyId: party.id })],
    )
  }
  // Receipts without a name: by the transfer's own number, or by nothing but sum and day.
  for (let i = 0; i < 25; i++) {
    const [party, sum, on] = [who(), odd(), day()]
    const own = i % 2 ? String(700_000 + i) : undefined
    is(
      [line(late(on), sum, 'העברה מבנק אחר', own)],
      [posting(on, sum, { partyId: party.id, numbers: own ? [own] : [] })],
    )
  }
  // Two customers, one sum, one day.
  for (let i = 0; i < 5; i++) {
    const [a, b, sum, on] = [customers[i]!, customers[i + 9]!, round(), day()]
    is([line(on, sum, `העברה ${a.name}`)], [posting(on, sum, { partyId: a.id })])
    is([line(on, sum, `העברה ${b.name}`)], [posting(on, sum, { partyId: b.id })])
  }
  // One transfer for two receipts or three.
  for (let i = 0; i < 8; i++) {
    const [party, on] = [who(), day()]
    const sums = Array.from({ length: 2 + (i % 2) }, odd)
    is(
      [
        line(
          late(on),
          sums.reduce((a, b) => a + b),
          `העברה ${party.name}`,
        ),
      ],
      sums.map((sum) => posting(on, sum, { partyId: party.id })),
    )
  }
  // Deposits: as one line, cheque by cheque, and one of three cheques that comes back.
  for (let i = 0; i < 6; i++) {
    const on = day()
    const cheques = Array.from({ length: 3 }, (_, c) => ({
      sum: odd(),
      number: String(5_000_100 + i * 10 + c),
    }))
    const total = cheques.reduce((sum, one) => sum + one.sum, 0)
    const key = posting(on, total, {
      kind: 'deposit',
      numbers: [String(40 + i), ...cheques.map((one) => one.number)],
    })
    if (i % 2) is([line(on, total, 'הפקדת שיקים', '')], [key])
    else
      is(
        cheques.map((one) => line(late(on), one.sum, 'הפקדת שיק', one.number)),
        [key],
      )
    for (const one of cheques)
      returnables.push({ paymentId: one.number, number: one.number, amount: one.sum, since: on })
    const back = cheques[1]!
    if (i < 4) is([line(addDays(on, 5), -back.sum, 'שיק חוזר', i % 2 ? '' : back.number)], [], 'bounce')
  }
  // Money out that is in the books.
  for (let i = 0; i < 16; i++) {
    const [party, sum, on] = [suppliers[roll(suppliers.length)]!, odd(), day()]
    is(
      [line(late(on), -sum, i % 4 ? party.name : 'העברה באינטרנט', i % 4 ? '' : String(880_000 + i))],
      [posting(on, -sum, { kind: 'supplierPayment', partyId: party.id, numbers: [String(880_000 + i)] })],
    )
  }
  // What nobody wrote down: fees, interest, payers known and unknown, bills.
  for (let i = 0; i < 18; i++)
    is(
      [line(day(), -(100 + roll(3_000)), ['עמלת פעולה בערוץ ישיר', 'דמי ניהול חשבון', 'עמלת העברה'][i % 3]!)],
      [],
      'fee',
    )
  for (let i = 0; i < 3; i++) is([line('2026-03-31', i ? -odd() : odd(), 'ריבית')], [], 'interest')
  for (let i = 0; i < 8; i++) {
    const [party, sum, on] = [who(), odd(), day()]
    debts.push({
      id: `i${i}`,
      partyId: party.id,
      role: 'customer',
      number: String(1_100 + i),
      day: addDays(on, -30),
      open: sum,
    })
    is(
      [line(on, sum, i % 2 ? `תשלום עבור חשבונית ${1_100 + i}` : `העברה ${party.name}`)],
      [],
      'receipt',
      party.id,
    )
  }
  for (let i = 0; i < 4; i++) {
    const [party, sum, on] = [suppliers[i]!, odd(), day()]
    debts.push({
      id: `b${i}`,
      partyId: party.id,
      role: 'supplier',
      number: String(66_100 + i),
      day: addDays(on, -30),
      open: sum,
    })
    is([line(on, -sum, party.name)], [], 'supplier', party.id)
  }
  // Strangers, and postings the bank does not know yet: nothing belongs to them.
  for (let i = 0; i < 8; i++) line(day(), odd(), `העברה מלקוח אנונימי ${i}`)
  for (let i = 0; i < 6; i++) posting(day(), odd(), { partyId: who().id })
  const gone = posting('2026-03-10', 77_700)
  is([], [gone, posting('2026-03-11', -77_700, { kind: 'reversal', reversesId: gone })])
  return { lines, postings, debts, parties, returnables, rules: [], others: [], truth }
}

const sign = (one: Pick<Truth, 'lines' | 'postings' | 'deed' | 'partyId'>) =>
  [one.lines.toSorted().join('+'), one.postings.toSorted().join('+'), one.deed, one.deed && one.partyId].join(
    ' | ',
  )

/** The payer matters only where it is known: fees are nobody's. */
const comparable = (proposal: Proposal): Truth => ({
  lines: [...proposal.lines],
  postings: [...proposal.postings],
  deed: proposal.deed,
  ...(proposal.deed === 'receipt' || proposal.deed === 'supplier' ? { partyId: proposal.partyId! } : {}),
})

test('a month of two hundred lines: what is certain is right, and little is missed', () => {
  const sums = { lines: 0, truth: 0, certain: 0, certainRight: 0, all: 0, right: 0 }
  for (const seed of [7, 1948, 20_260, 31_337, 99]) {
    const facts = month(seed)
    const truth = new Set(facts.truth.map(sign))
    const found = propose(facts)
    const certain = found.filter((one) => one.confidence === 'certain')
    sums.lines += facts.lines.length
    sums.truth += truth.size
    sums.certain += certain.length
    sums.certainRight += certain.filter((one) => truth.has(sign(comparable(one)))).length
    sums.all += found.length
    sums.right += found.filter((one) => truth.has(sign(comparable(one)))).length
    // Nothing is in two proposals.
    const used = found.flatMap((one) => [...one.lines, ...one.postings])
    expect(new Set(used).size).toBe(used.length)
  }
  const share = (part: number, of: number) => Math.round((1000 * part) / of) / 10
  const measured = {
    lines: sums.lines,
    certainPrecision: share(sums.certainRight, sums.certain),
    certainRecall: share(sums.certainRight, sums.truth),
    precision: share(sums.right, sums.all),
    recall: share(sums.right, sums.truth),
  }
  if (process.env.MEASURE) console.log(JSON.stringify(measured))
  expect(sums.lines).toBeGreaterThan(900)
  expect(measured.certainPrecision).toBe(100)
  expect(measured.certainRecall).toBeGreaterThan(55)
  expect(measured.precision).toBeGreaterThan(95)
  expect(measured.recall).toBeGreaterThan(95)
})
