import { describe, expect, test } from 'vitest'
import type { JournalFacts, JournalLine } from '../endpoints.ts'
import { inputOf, movedBy, nextDraft, withLines, type Draft } from './model.ts'

const facts = {
  today: '2026-11-23',
  accounts: [],
  vatCodes: [{ id: 'input', code: '4', name: '', kind: 'input', share: 'full', terms: [], accountId: 'vat' }],
  projects: [],
  kinds: [],
} as unknown as JournalFacts
const line = (
  day: string,
  debit: string | null,
  credit: string | null,
  amountAgorot: number,
  change: Partial<Draft> = {},
): Draft => ({
  ...nextDraft([], facts, day),
  debitAccountId: debit,
  creditAccountId: credit,
  amountAgorot,
  ...change,
})

describe('what lines that wait would move an account', () => {
  const lines = [
    line('2025-12-31', 'rent', 'bank', 100),
    line('2026-02-01', 'rent', 'bank', 11_800, { vatCodeId: 'input' }),
    // One side of an entry that is not closed yet counts for its account.
    line('2026-02-02', null, 'bank', 7),
    line('2026-03-01', 'bank', 'sales', 5000),
  ]
  const of = (account: string, day: string, since: string | null = null) =>
    movedBy(account, lines, facts, { since, day })

  test('until the day, the VAT on its own account', () => {
    expect([of('bank', '2026-02-28'), of('rent', '2026-02-28'), of('vat', '2026-02-28')]).toEqual([
      -11_907, 10_100, 1800,
    ])
    expect(of('bank', '2026-03-01')).toBe(-6907)
    expect(of('bank', '2025-12-30')).toBe(0)
  })

  test('of income and expense since 1 January', () => {
    expect(of('rent', '2026-12-31', '2026-01-01')).toBe(10_000)
  })

  test('a line that cannot be posted as it is moves nothing', () => {
    const wrong = [
      line('2026-01-01', 'bank', 'bank', 5),
      line('2026-01-01', 'bank', 'sales', 0),
      line('2026-01-01', null, null, 9),
    ]
    expect(movedBy('bank', wrong, facts, { since: null, day: '2026-12-31' })).toBe(0)
  })
})

test('lines that were kept stand in the batch as it was answered, in their order, and dropped ones do not', () => {
  const row = (draft: Draft) => ({ ...draft, ...inputOf(draft), entryId: null }) as JournalLine
  const [one, two, three] = [1, 2, 3].map((position) =>
    line('2026-01-01', 'rent', 'bank', position * 100, { position }),
  )
  const changed = { ...one!, details: 'changed' }
  expect(withLines([row(one!), row(three!)], [two!, changed], [three!.id])).toEqual([row(changed), row(two!)])
})
