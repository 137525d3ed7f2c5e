import { Landmark } from 'lucide-react'
import { checkBankAccount } from '../../../domain/bankAccount.ts'
import { ChoiceField } from '../../../kit/web/fields/ChoiceField.tsx'
import { fieldViews } from '../../../kit/web/fields/fieldViews.tsx'
import { Note } from '../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import type { DressedInputProps } from '../../../kit/web/screens/dress.ts'
import type { Values } from '../../../kit/web/screens/resources.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { bankChoices } from './bankWords.ts'
import { supplierPath } from './paths.ts'

/** Details that are there are changed by their own step, on the supplier's card. */
const isSettled = (values: Values): boolean => typeof values.id === 'string'

/** The bank, by its name or code. For a supplier there is already: the way to the step. */
export function BankCodeInput({ values, put: _, value, onChange, ...props }: DressedInputProps) {
  const t = useWords()
  if (isSettled(values))
    return (
      <Note
        icon={Landmark}
        action={
          <Button size="s" href={supplierPath(String(values.id), 'bank')}>
            {t('suppliers.bank.open')}
          </Button>
        }
      >
        {t('suppliers.bank.ownStep')}
      </Note>
    )
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

/** A further detail, asked for while the supplier is new. */
export function BankTextInput({ values, put: _, ...props }: DressedInputProps) {
  return isSettled(values) ? null : <Text {...props} />
}

export function BankAccountInput({ values, put: _, ...props }: DressedInputProps) {
  if (isSettled(values)) return null
  return (
    <>
      <Text {...props} />
      <AccountDoubt code={values.bankCode} branch={values.bankBranch} account={values.bankAccount} />
    </>
  )
}

/** A check digit that does not fit. The rules of the banks are gathered from open code, so it is a doubt and hinders nothing. */
export function AccountDoubt({ code, branch, account }: { code: unknown; branch: unknown; account: unknown }) {
  const t = useWords()
  if (typeof code !== 'number' || !branch || String(account ?? '').replace(/\D/g, '').length < 4) return null
  if (checkBankAccount(code, String(branch), String(account)) !== 'suspicious') return null
  return (
    <div className="mt-2" role="status">
      <Note tone="wait">{t('suppliers.bank.doubt')}</Note>
    </div>
  )
}
