import { Landmark } from 'lucide-react'
import { fieldViews } from '#kit/web/fields/fieldViews.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import type { DressedInputProps } from '#kit/web/screens/dress.ts'
import type { Values } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { BankAccountInput as Account, BankCodeInput as Code } from '#features/registers/parties/web/index.tsx'
import { supplierPath } from './paths.ts'

/** Details that are there are changed by their own step, on the supplier's card. */
const isSettled = (values: Values): boolean => typeof values.id === 'string'

/** The bank of a new supplier. For one there is already: the way to the step. */
export function BankCodeInput(props: DressedInputProps) {
  const t = useWords()
  const { values } = props
  if (!isSettled(values)) return <Code {...props} />
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
}

const { Input: Text } = fieldViews.text

/** A further detail, asked for while the supplier is new. */
export function BankTextInput({ values, put: _, ...props }: DressedInputProps) {
  return isSettled(values) ? null : <Text {...props} />
}

export const BankAccountInput = (props: DressedInputProps) =>
  isSettled(props.values) ? null : <Account {...props} />
