import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, queryClient, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { answerTicket, closeTicket, getTicket, ticketPicture, type Ticket } from '../endpoints.ts'
import { Facts } from './Facts.tsx'
import { Reply } from './Reply.tsx'
import { Severity, TicketStatus } from './says.tsx'
import { Thread } from './Thread.tsx'
import { TicketFiles } from './TicketFiles.tsx'
import './support.css'

/** One of my tickets: what was said, and a word more. */
export function Screen() {
  const t = useWords()
  const id = usePlace().params.ticketid ?? ''
  const [text, setText] = useState('')
  const { data, error } = useCall(getTicket, { id }, { staleTime: 0, refetchInterval: 30_000 })
  useTitle(data?.subject)
  const crumbs = [{ label: t('screens.support'), href: '/invoice/support' }]
  if (error && !data)
    return (
      <EmptyState
        whole
        icon={TriangleAlert}
        title={failureText(t, error)}
        actions={<Button href="/invoice/support">{t('screens.support')}</Button>}
      />
    )
  if (!data) return <Skeleton lines={8} />
  const keep = (next: Ticket) => {
    putAnswer(getTicket, { id }, next)
    void queryClient.invalidateQueries({ queryKey: ['support.list'] })
  }
  const end = () =>
    void call(closeTicket, { id }).then(keep, (e: unknown) => {
      banner.error(failureText(t, e))
    })
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        number={data.number}
        title={data.subject}
        status={<TicketStatus of={data} />}
        sub={<Severity of={data} />}
        actions={
          data.state !== 'closed' && (
            <Button icon={CircleCheck} onPress={end}>
              {t('support.close')}
            </Button>
          )
        }
      />
      <div className="su-desk">
        <div className="su-stack">
          {(data.state === 'closed' || data.state === 'solved') && (
            <Note tone="done">{t('support.reopens')}</Note>
          )}
          <Thread of={data.messages} />
          <Reply
            label={t('support.more')}
            text={text}
            onText={setText}
            onSend={async (said) => keep(await call(answerTicket, { id, text: said }))}
          />
        </div>
        <div className="su-stack">
          <TicketFiles of={data} onAdded={keep} />
          <Facts of={data} endpoint={ticketPicture} input={{ id }} />
        </div>
      </div>
    </>
  )
}
