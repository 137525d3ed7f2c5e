import { CalendarClock, Clock, Send } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { addDays, dayInJerusalem, momentAt, weekday } from '#domain/day.ts'
import { formatMoment } from '#domain/format.ts'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { SplitButton } from '#kit/web/parts/SplitButton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { LaterDialog } from './LaterDialog.tsx'

export interface ReplyProps {
  label: string
  /** Its words, kept by the person who shows it. */
  text: string
  onText: (text: string) => void
  onSend: (text: string) => Promise<unknown>
  /** Sends it at a moment ahead; without it everything goes at once. */
  onLater?: (text: string, at: string) => Promise<unknown>
  more?: ReactNode
}

/** Mornings at which work begins: tomorrow's, and that of the next week where it is another. */
function mornings(): Date[] {
  const today = dayInJerusalem(new Date())
  return [...new Set([addDays(today, 1), addDays(today, 7 - weekday(today))])].map((day) => momentAt(day, 9))
}

/** A word more. It is cleared when it was taken, and stays when it was not. */
export function Reply({ label, text, onText, onSend, onLater, more }: ReplyProps) {
  const t = useWords()
  const at = useRef<string>(undefined)
  const { busy, rest, error, run, place } = useAction(
    ['text'],
    async () => {
      const when = at.current
      at.current = undefined
      await (when && onLater ? onLater(text, when) : onSend(text))
      onText('')
    },
    { stays: true },
  )
  const later = (moment: Date) => {
    at.current = moment.toISOString()
    run()
  }
  const send = {
    kind: 'primary',
    type: 'submit',
    icon: Send,
    m: true,
    busy,
    children: t('support.answer'),
  } as const
  return (
    <form ref={place} className="su-reply" noValidate onSubmit={run}>
      {rest && <Note tone="late">{rest}</Note>}
      <LongText label={label} value={text} onChange={onText} rows={4} max={8000} {...error('text', text)} />
      <div className="su-acts">
        {more}
        {onLater ? (
          <SplitButton
            {...send}
            menuLabel={t('support.sendLater')}
            menu={[
              ...mornings().map((moment) => ({
                key: moment.toISOString(),
                label: t('support.sendAt', { at: formatMoment(moment) }),
                icon: Clock,
                onPress: () => later(moment),
              })),
              {
                key: 'other',
                label: t('support.sendOther'),
                icon: CalendarClock,
                onPress: () => show((close) => <LaterDialog onPick={later} onClose={close} />),
              },
            ]}
          />
        ) : (
          <Button {...send} />
        )}
      </div>
    </form>
  )
}
