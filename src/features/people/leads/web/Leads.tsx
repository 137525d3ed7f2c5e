import { Columns3, Inbox, List, UsersRound } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { useNews } from '#kit/web/calls/live.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listIntakes } from '../endpoints.ts'
import { leads } from '../leads.ts'
import { IntakesSheet } from './IntakesSheet.tsx'
import { LeadSheets } from './LeadSheets.tsx'
import { refreshLeads } from './shared.ts'
import './dress.tsx'
import './leads.css'

const LeadBoard = lazy(() =>
  fetchPart(() => import('./LeadBoard.tsx')).then((m) => ({ default: m.LeadBoard })),
)

/** The person who asked: as a list or as a board, over the same leads; one of them opens beside it. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const isBoard = query.show !== 'list'
  const mayHand = may('leads.handOver')
  const { data } = useCall(listIntakes, {}, { enabled: mayHand, staleTime: 60_000 })
  useNews(['leads'], () => !isBoard && void refreshLeads())
  const toCheck = data?.toCheck ?? 0
  const tools = (
    <>
      {mayHand && toCheck > 0 && (
        <Button kind="quiet" icon={Inbox} onPress={() => show((close) => <IntakesSheet onClose={close} />)}>
          {t('leads.intakes.waiting', { count: toCheck })}
        </Button>
      )}
      {mayHand && (
        <Button kind="quiet" icon={UsersRound} href="/invoice/leadtransfer">
          {t('screens.leadTransfer')}
        </Button>
      )}
      <Segmented
        label={t('leads.show.label')}
        value={isBoard ? 'board' : 'list'}
        onChange={(next) => setQuery({ show: next === 'list' ? 'list' : undefined })}
        options={[
          { key: 'list', label: t('leads.show.list'), icon: <Icon of={List} size="s" /> },
          { key: 'board', label: t('leads.show.board'), icon: <Icon of={Columns3} size="s" /> },
        ]}
      />
    </>
  )
  return (
    <>
      {isBoard ? (
        <Suspense
          fallback={
            <>
              <PageHeader title={t('screens.leads')} />
              <Skeleton lines={8} />
            </>
          }
        >
          <LeadBoard actions={tools} />
        </Suspense>
      ) : (
        <ListScreen resource={leads} actions={tools} onOpen={(row) => setQuery({ lead: row.id })} />
      )}
      <LeadSheets />
    </>
  )
}
