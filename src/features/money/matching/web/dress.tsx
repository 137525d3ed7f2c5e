import { Wand } from 'lucide-react'
import { fieldViews } from '#kit/web/fields/fieldViews.tsx'
import { dress, type DressedInputProps } from '#kit/web/screens/dress.ts'
import { bankRules } from '../bankRules.ts'

const { Input: Ref } = fieldViews.ref
const { Input: Flag } = fieldViews.flag

/** A field that only some actions require. */
const forDeeds =
  (Input: typeof Ref, ...deeds: string[]) =>
  ({ values, put: _put, ...props }: DressedInputProps) =>
    deeds.includes(String(values.deed ?? '')) ? <Input {...props} /> : null

dress(bankRules, {
  icon: Wand,
  inputs: {
    accountId: forDeeds(Ref, 'fee', 'interest', 'account'),
    customerId: forDeeds(Ref, 'receipt'),
    supplierId: forDeeds(Ref, 'supplier'),
    bankAccountId: forDeeds(Ref, 'transfer'),
    automatic: forDeeds(Flag, 'fee', 'interest', 'account', 'transfer'),
  },
  columns: {
    contains: { strong: true, width: 'trim', phone: 'title' },
    direction: { width: 'fit' },
    deed: { width: 'fit', phone: 'line' },
    accountId: { width: 'trim' },
  } as never,
})
