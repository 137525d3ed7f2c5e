import { describe, expect, test } from 'vitest'
import { documentStatuses, type DocumentStatus } from './kinds.ts'
import { canBecome, isFrozen, refuseIssueDate, statusByWhatIsLeft, type IssueDate } from './life.ts'

const all = Object.keys(documentStatuses) as DocumentStatus[]

describe('states', () => {
  test('nothing returns to a draft, nothing leaves a cancellation, and a draft is never cancelled: it is deleted', () => {
    for (const status of all) {
      expect(canBecome(status, 'draft')).toBe(false)
      expect(canBecome('cancelled', status)).toBe(false)
    }
    expect(canBecome('draft', 'cancelled')).toBe(false)
    expect(canBecome('draft', 'issued')).toBe(true)
  })

  test('a bounced cheque opens what was closed', () => {
    expect(canBecome('closed', 'partlyClosed')).toBe(true)
    expect(canBecome('closed', 'issued')).toBe(true)
  })

  test('only drafts may change', () => {
    expect(all.filter((status) => !isFrozen(status))).toEqual(['draft'])
  })

  test.each([
    [100, 100, 'issued'],
    [100, 40, 'partlyClosed'],
    [100, 0, 'closed'],
    [0, 0, 'closed'],
    [100, -5, 'partlyClosed'],
  ])('of %d with %d left: %s', (total, left, status) => {
    expect(statusByWhatIsLeft(total, left)).toBe(status)
  })
})

describe('the date of issue', () => {
  const asked: IssueDate = {
    day: '2026-03-10',
    today: '2026-03-10',
    isTaxDocument: true,
    lastOfSeries: '2026-03-09',
    lockedPeriods: [{ from: '2026-01-01', to: '2026-02-28' }],
    backDatingAllowed: false,
    openVatPeriod: { from: '2026-03-01', to: '2026-04-30' },
  }

  test.each<[string, Partial<IssueDate>]>([
    ['today', {}],
    ['the day of the last one', { day: '2026-03-09' }],
    ['the first of its series', { day: '2026-03-01', lastOfSeries: undefined }],
    ['a quote for tomorrow', { day: '2026-03-11', isTaxDocument: false }],
    [
      'back in the open VAT period, where the setting allows it',
      { day: '2026-03-01', backDatingAllowed: true },
    ],
  ])('allowed: %s', (_, change) => {
    expect(refuseIssueDate({ ...asked, ...change })).toBeUndefined()
  })

  test.each<[string, Partial<IssueDate>, unknown]>([
    [
      'tomorrow',
      { day: '2026-03-11' },
      { code: 'documents.dateInFuture', params: { day: '2026-03-11', today: '2026-03-10' } },
    ],
    [
      'before the last one',
      { day: '2026-03-08' },
      { code: 'documents.dateBeforeLastOfSeries', params: { day: '2026-03-08', last: '2026-03-09' } },
    ],
    [
      'the last day of a reported period, even with back-dating and as the first of its series',
      {
        day: '2026-02-28',
        lastOfSeries: undefined,
        backDatingAllowed: true,
        openVatPeriod: { from: '2026-01-01', to: '2026-04-30' },
      },
      {
        code: 'documents.dateInLockedPeriod',
        params: { day: '2026-02-28', from: '2026-01-01', to: '2026-02-28' },
      },
    ],
    [
      'back before the open VAT period',
      { day: '2025-12-31', backDatingAllowed: true },
      { code: 'documents.dateBeforeLastOfSeries', params: { day: '2025-12-31', last: '2026-03-09' } },
    ],
    [
      'back where no VAT period is open',
      { day: '2026-03-01', backDatingAllowed: true, openVatPeriod: undefined },
      { code: 'documents.dateBeforeLastOfSeries', params: { day: '2026-03-01', last: '2026-03-09' } },
    ],
    [
      'a quote before the last quote',
      { day: '2026-03-08', isTaxDocument: false },
      { code: 'documents.dateBeforeLastOfSeries', params: { day: '2026-03-08', last: '2026-03-09' } },
    ],
  ])('refused: %s', (_, change, refusal) => {
    expect(refuseIssueDate({ ...asked, ...change })).toEqual(refusal)
  })
})
