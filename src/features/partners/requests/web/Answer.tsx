import { Send } from 'lucide-react'
import { useState } from 'react'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { useWords } from '#kit/web/words/words.tsx'

/** A few words in answer; cleared when they were taken. */
export function Answer({ label, onSend }: { label: string; onSend: (text: string) => Promise<unknown> }) {
  const t = useWords()
  const [text, setText] = useState('')
  const { busy, rest, error, run, place } = useAction(['text'], async () => {
    await onSend(text)
    setText('')
  })
  return (
    <form ref={place} className="rq-answer" noValidate onSubmit={run}>
      {rest && <Note tone="late">{rest}</Note>}
      <LongText label={label} value={text} onChange={setText} rows={2} max={2000} {...error('text', text)} />
      <Button type="submit" icon={Send} m busy={busy}>
        {t('requests.send')}
      </Button>
    </form>
  )
}
