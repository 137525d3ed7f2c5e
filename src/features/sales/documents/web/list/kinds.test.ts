import { expect, test } from 'vitest'
import { businessKinds, chargesVat, documentTypes, type BusinessKind } from '#domain/documents/kinds.ts'
import type { Words } from '#kit/web/words/words.tsx'
import { kindOf } from './kinds.ts'

const t = ((key: string) => key) as Words

test.each(Object.keys(businessKinds) as BusinessKind[])(
  'the receipts of %s tell of money on account only where it can stay there',
  (business) => {
    const receipts = kindOf(t, documentTypes.receipt.id, business)!
    const tells = chargesVat(business)
    expect(receipts.columns.includes('openAgorot')).toBe(tells)
    expect(receipts.dress!.views!(t).some(({ key }) => key === 'onAccount')).toBe(tells)
  },
)
