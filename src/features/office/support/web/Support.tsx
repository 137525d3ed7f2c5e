import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { deskGivenUp, deskTickets, supportFacts } from '../endpoints.ts'
import { AskDialog } from './AskDialog.tsx'
import { Desk } from './Desk.tsx'
import { DeskTicket } from './DeskTicket.tsx'
import { GivenUp } from './GivenUp.tsx'
import { TicketList } from './TicketList.tsx'
import './support.css'

/** One's own tickets to the operator of the installation; for the operator, everybody's. */
export function Screen() {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const [asks, setAsks] = useState(false)
  const { data: facts, error, refetch } = useCall(supportFacts, {}, { staleTime: 60_000 })
  const isDesk = facts?.isDesk ?? false
  const { data: desk } = useCall(deskTickets, { view: 'mine' }, { enabled: isDesk })
  const { data: givenUp } = useCall(deskGivenUp, {}, { enabled: isDesk })
  const tab = !isDesk || query.desk === undefined ? 'mine' : query.desk === 'givenUp' ? 'givenUp' : 'desk'
  const number = Number(query.desk)
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
            onChange={(next) =>
              setQuery({ desk: next === 'desk' ? 'all' : next === 'givenUp' ? 'givenUp' : undefined })
            }
            views={[
              { key: 'mine', label: t('support.mine') },
              { key: 'desk', label: t('support.desk'), ...(desk ? { count: desk.counts.mine } : {}) },
              {
                key: 'givenUp',
                label: t('support.givenUp.title'),
                ...(givenUp?.count ? { count: givenUp.count } : {}),
              },
            ]}
          />
        )}
      </PageHeader>
      {!facts.isAnswered && <Note tone="wait">{t('errors.support.nobody')}</Note>}
      {tab === 'desk' ? (
        <Desk />
      ) : tab === 'givenUp' ? (
        <GivenUp />
      ) : (
        <TicketList ask={ask} emptyTitle={t('support.empty.title')} emptyText={t('support.empty.text')} />
      )}
      {(asks || (query.ask !== undefined && facts.isAnswered)) && (
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
