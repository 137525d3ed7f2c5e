import { Bug, Plus } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { supportFacts } from '../endpoints.ts'
import { AskDialog } from './AskDialog.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { TicketList } from './TicketList.tsx'
import './support.css'

/** Faults I reported, and what became of them. */
export function Screen() {
  const t = useWords()
  const [asks, setAsks] = useState(false)
  const { data: facts, isLoading } = useCall(supportFacts, {}, { staleTime: 60_000 })
  const ask = facts?.isAnswered ? (
    <Button kind="primary" icon={Plus} onPress={() => setAsks(true)}>
      {t('support.report')}
    </Button>
  ) : undefined
  return (
    <Together waits={isLoading}>
      <PageHeader title={t('screens.reportsBugs')} sub={t('support.faultsSub')} actions={ask} />
      {facts && !facts.isAnswered && <Note tone="wait">{t('errors.support.nobody')}</Note>}
      <TicketList
        kind="fault"
        icon={Bug}
        ask={ask}
        emptyTitle={t('support.noFaults.title')}
        emptyText={t('support.noFaults.text')}
      />
      {asks && <AskDialog kind="fault" onClose={() => setAsks(false)} />}
    </Together>
  )
}
