import { checkBankAccount } from '#domain/bankAccount.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { fieldViews } from '#kit/web/fields/fieldViews.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import type { DressedInputProps } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { bankChoices, bankText } from './bankWords.ts'

/** The bank, by its name or code. */
export function BankCodeInput({ values: _, put: __, value, onChange, ...props }: DressedInputProps) {
  const t = useWords()
  return (
    <ChoiceField
      {...props}
      clearable
      value={typeof value === 'number' ? String(value) : null}
      onChange={(code) => onChange(code === null ? null : Number(code))}
      choices={bankChoices(t)}
    />
  )
}

const { Input: Text } = fieldViews.text

/** The number of the account, with a doubt about its check digit below. */
export function BankAccountInput({ values, put: _, ...props }: DressedInputProps) {
  return (
    <>
      <Text {...props} />
      <AccountDoubt code={values.bankCode} branch={values.bankBranch} account={values.bankAccount} />
    </>
  )
}

/**
 * A check digit that does not fit. The rules of the banks are gathered from open code, so it is a doubt and
 * hinders nothing.
 */
export function AccountDoubt({
  code,
  branch,
  account,
}: {
  code: unknown
  branch: unknown
  account: unknown
}) {
  const t = useWords()
  if (typeof code !== 'number' || !branch || String(account ?? '').replace(/\D/g, '').length < 4) return null
  if (checkBankAccount(code, String(branch), String(account)) !== 'suspicious') return null
  return (
    <div className="mt-2" role="status">
      <Note tone="wait">{t('customers.bank.doubt')}</Note>
    </div>
  )
}

export function BankCodeCell({ value }: { value: number | null }) {
  const t = useWords()
  return value === null ? null : <bdi>{bankText(t, value)}</bdi>
}
