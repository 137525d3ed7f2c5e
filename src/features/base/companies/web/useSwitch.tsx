import { useState, type ReactNode } from 'react'
import { useFailureText } from '#kit/web/calls/call.ts'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { hasUnsaved, switchTo } from './switch.ts'

/** The way into another business: asks first when something typed would be lost. */
export function useSwitch(): {
  go: (to: { id: string; name: string }) => void
  busy: string | undefined
  question: ReactNode
} {
  const t = useWords()
  const say = useFailureText()
  const [busy, setBusy] = useState<string>()
  const [asks, setAsks] = useState<{ id: string; name: string }>()
  const start = async (id: string) => {
    setBusy(id)
    try {
      await switchTo(id)
    } catch (e) {
      setBusy(undefined)
      banner.error(say(e))
    }
  }
  return {
    go: (to) => (hasUnsaved() ? setAsks(to) : void start(to.id)),
    busy,
    question: (
      <Question
        isOpen={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={t('companies.switch.ask', { name: asks?.name ?? '' })}
        verb={t('companies.switch.do')}
        safe={t('kit.sheet.stay')}
        danger
        onConfirm={() => start(asks!.id)}
      >
        {t('companies.switch.unsaved')}
      </Question>
    ),
  }
}
