import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { bankChoices } from '#features/registers/parties/web/index.tsx'

interface Held<V> {
  value: V
  onChange: (value: V) => void
  error?: string
}

/** Bank, branch and account to which an affiliate is paid. */
export function AccountFields({
  bankCode,
  bankBranch,
  bankAccount,
  optional = false,
}: {
  bankCode: Held<string | null>
  bankBranch: Held<string>
  bankAccount: Held<string>
  optional?: boolean
}) {
  const t = useWords()
  return (
    <>
      <ChoiceField
        {...bankCode}
        label={t('affiliates.field.bank')}
        clearable
        optional={optional}
        choices={bankChoices(t)}
      />
      <TextField
        {...bankBranch}
        label={t('affiliates.field.branch')}
        ltr
        optional={optional}
        max={4}
        inputMode="numeric"
      />
      <TextField
        {...bankAccount}
        label={t('affiliates.field.account')}
        ltr
        optional={optional}
        max={20}
        inputMode="numeric"
      />
    </>
  )
}
