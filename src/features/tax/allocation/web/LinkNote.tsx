import { Plug } from 'lucide-react'
import { formatMoment } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getConnection } from '../endpoints.ts'

/** How many days ahead a person is asked to log in again. */
export const warnDays = 14

/**
 * What prevents the business from getting numbers, with the one step that corrects it; nothing when nothing does.
 */
export function LinkNote() {
  const t = useWords()
  const may = useCan()
  const { data } = useCall(getConnection, {}, { staleTime: 5000, enabled: may('allocation.see') })
  if (!data) return null
  const step = (word: string) => (
    <Button size="s" kind="soft" icon={Plug} href="/israeltax">
      {t(word)}
    </Button>
  )
  if (data.authority === 'off') return <Note>{t('allocation.link.off')}</Note>
  if (data.state === 'none')
    return (
      <Note tone="wait" action={step('allocation.link.connect')}>
        {t('errors.allocation.notConnected')}
      </Note>
    )
  if (data.state === 'ended')
    return (
      <Note tone="wait" action={step('allocation.link.again')}>
        {t('errors.allocation.ended')}
      </Note>
    )
  if (data.awayUntil)
    return <Note>{t('allocation.link.away', { at: formatMoment(new Date(data.awayUntil)) })}</Note>
  if (data.daysLeft !== null && data.daysLeft <= warnDays)
    return (
      <Note tone="wait" action={step('allocation.link.again')}>
        {t('allocation.link.endsSoon', { days: data.daysLeft })}
      </Note>
    )
  return null
}

/** The same before an invoice is issued that needs a number: asked for while it can still be connected. */
export { LinkNote as Part }
