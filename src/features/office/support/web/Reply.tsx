import { Send } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { useDeed } from '#kit/web/parts/useDeed.ts'
import { useWords } from '#kit/web/words.tsx'

/** A word more. It is cleared when it was taken, and stays when it was not. */
export function Reply({ label, onSend, more }: { label: string; onSend: (text: string) => Promise<unknown>; more?: ReactNode }) {
  const t = useWords()
  const id = useId()
  const [text, setText] = useState('')
  const { busy, rest, error, run, place } = useDeed(['text'], async () => {
    await onSend(text)
    setText('')
  })
  return (
    <form
      id={id}
      ref={(form) => void (place.current = form)}
      className="su-reply"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      {rest && <Note tone="late">{rest}</Note>}
      <LongText label={label} value={text} onChange={setText} rows={4} max={8000} {...error('text', text)} />
      <div className="su-acts">
        {more}
        <Button kind="primary" type="submit" icon={Send} m busy={busy}>
          {t('support.answer')}
        </Button>
      </div>
    </form>
  )
}
