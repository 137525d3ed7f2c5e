import type { ReactNode } from 'react'
import { failureText } from '../calls/call.ts'
import { Note } from '../parts/Banner.tsx'
import { Button } from '../parts/Button.tsx'
import { useWords } from '../words/words.tsx'

/** The outcome of a form is not known: why, and a button that asks again. It takes the place of the form. */
export function Unanswered({
  failure,
  children,
  again,
}: {
  failure?: unknown
  children?: ReactNode
  again: () => void
}) {
  const t = useWords()
  return (
    <Note
      tone="wait"
      action={
        <Button size="s" onPress={again}>
          {t('kit.actions.retry')}
        </Button>
      }
    >
      {children ?? failureText(t, failure)}
    </Note>
  )
}
