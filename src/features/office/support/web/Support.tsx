import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useCall } from '#kit/web/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/place.ts'
import { useWords } from '#kit/web/words.tsx'
import { deskTickets, supportFacts } from '../endpoints.ts'
import { AskDialog } from './AskDialog.tsx'
import { Desk } from './Desk.tsx'
import { DeskTicket } from './DeskTicket.tsx'
import { TicketList } from './TicketList.tsx'
import './support.css'

/** What I asked of whoever runs the installation; for him, what everybody asked. */
export function Screen() {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const [asks, setAsks] = useState(false)
  const { data: facts, error, refetch } = useCall(supportFacts, {}, { staleTime: 60_000 })
  const isDesk = facts?.isDesk ?? false
  const { data: desk } = useCall(deskTickets, { view: 'mine' }, { enabled: isDesk })
  const tab = isDesk && query.desk !== undefined ? 'desk' : 'mine'
  const number = Number(query.desk)
  useEffect(() => {
    if (query.ask === undefined || !facts) return
    setAsks(facts.isAnswered)
  }, [query.ask, facts])
  // Whether there is a desk decides what the head holds: nothing moves when it is known.
  if (!facts) return error ? <Failed error={error} onRetry={refetch} /> : <Skeleton lines={8} />
  if (tab === 'desk' && number > 0) return <DeskTicket number={number} />
  const ask = facts.isAnswered ? (
    <Button kind="primary" icon={Plus} onPress={() => setAsks(true)}>
      {t('support.ask')}
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        title={t('screens.support')}
        sub={t('support.sub')}
        actions={tab === 'mine' ? ask : undefined}
      >
        {isDesk && (
          <Views
            label={t('support.parts')}
            value={tab}
            onChange={(next) => setQuery({ desk: next === 'desk' ? 'all' : undefined })}
            views={[
              { key: 'mine', label: t('support.mine') },
              { key: 'desk', label: t('support.desk'), ...(desk ? { count: desk.counts.mine } : {}) },
            ]}
          />
        )}
      </PageHeader>
      {!facts.isAnswered && <Note tone="wait">{t('errors.support.nobody')}</Note>}
      {tab === 'desk' ? (
        <Desk />
      ) : (
        <TicketList ask={ask} emptyTitle={t('support.empty.title')} emptyText={t('support.empty.text')} />
      )}
      {asks && (
        <AskDialog
          kind="question"
          article={query.article}
          subject={query.subject}
          onClose={() => {
            setAsks(false)
            setQuery({ ask: undefined, article: undefined, subject: undefined })
          }}
        />
      )}
    </>
  )
}
